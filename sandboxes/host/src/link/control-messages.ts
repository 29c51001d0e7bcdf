import { parseFields } from './fields.ts';
import { type Frame, FrameError } from './frame.ts';
import type { Link } from './link.ts';

/** What the manager tells a host process's main thread, on the control link. */
export type ToHost =
  /** Start worker thread `worker`, which takes the inherited socket `descriptor` as its link. */
  | { readonly type: 'start'; readonly worker: number; readonly descriptor: number; readonly heapMb: number }
  /** End that worker thread, whatever it does. */
  | { readonly type: 'stop'; readonly worker: number }
  /** Say what the workers use. */
  | { readonly type: 'measure' };

/** What a host process's main thread tells the manager. */
export type FromHost =
  | { readonly type: 'exited'; readonly worker: number; readonly reason: WorkerExit; readonly detail: string }
  | { readonly type: 'memory'; readonly workers: readonly WorkerMemory[] };

/** Why a worker thread is gone: asked to, out of its heap, or by an error of its own. */
export type WorkerExit = 'stopped' | 'memory' | 'crashed';

export interface WorkerMemory {
  readonly worker: number;
  readonly heapBytes: number;
  /** Outside the heap and known to V8: typed arrays, wasm memories. */
  readonly externalBytes: number;
}

const TO_HOST = { start: 1, stop: 2, measure: 3 } as const;
const FROM_HOST = { exited: 65, memory: 66 } as const;

export function sendToHost(link: Link, message: ToHost): void {
  const { type, ...head } = message;
  link.send(TO_HOST[type], 0, JSON.stringify(head));
}

export function readToHost(frame: Frame): ToHost {
  const fields = parseFields(frame.payload.toString('utf8'));
  switch (frame.type) {
    case TO_HOST.start:
      return {
        type: 'start',
        worker: fields.index('worker'),
        descriptor: fields.index('descriptor'),
        heapMb: fields.index('heapMb'),
      };
    case TO_HOST.stop:
      return { type: 'stop', worker: fields.index('worker') };
    case TO_HOST.measure:
      return { type: 'measure' };
    default:
      throw new FrameError(`The manager sent a control message of unknown type ${frame.type}.`);
  }
}

export function sendFromHost(link: Link, message: FromHost): void {
  const { type, ...head } = message;
  link.send(FROM_HOST[type], 0, JSON.stringify(head));
}

/** In the manager: everything is checked, and what does not fit is a `FrameError`. */
export function readFromHost(frame: Frame): FromHost {
  const fields = parseFields(frame.payload.toString('utf8'));
  switch (frame.type) {
    case FROM_HOST.exited:
      return {
        type: 'exited',
        worker: fields.index('worker'),
        reason: readReason(fields.text('reason')),
        detail: fields.text('detail'),
      };
    case FROM_HOST.memory:
      return {
        type: 'memory',
        workers: fields.list('workers').map((worker) => ({
          worker: worker.index('worker'),
          heapBytes: worker.amount('heapBytes'),
          externalBytes: worker.amount('externalBytes'),
        })),
      };
    default:
      throw new FrameError(`A host process sent a control message of unknown type ${frame.type}.`);
  }
}

function readReason(text: string): WorkerExit {
  if (text === 'stopped' || text === 'memory' || text === 'crashed') return text;
  throw new FrameError('A host process reported a worker exit of unknown kind.');
}
