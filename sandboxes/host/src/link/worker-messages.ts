import { type ErrorCode, isErrorCode, type Part } from '@yuanbot/contract';
import { type Fields, parseFields } from './fields.ts';
import { type Frame, FrameError } from './frame.ts';
import type { Link } from './link.ts';

/** What the manager tells a worker, on that worker's own link. `call` is the manager's number of a call. */
export type ToWorker =
  /** Keep this program, and drop those in `forget` (the manager decides what a worker holds). Of no call. */
  | { readonly type: 'program'; readonly head: ProgramHead; readonly content: Uint8Array }
  | { readonly type: 'prepare'; readonly call: number; readonly digest: string }
  | { readonly type: 'run'; readonly call: number; readonly head: RunHead; readonly paramsJson: string }
  | {
      readonly type: 'answer';
      readonly call: number;
      readonly step: number;
      readonly field: 'response' | 'db_response';
      readonly json: string;
    }
  /** The platform ended the call; say `abandoned` as soon as nothing of it runs any more. */
  | { readonly type: 'abandon'; readonly call: number };

export interface ProgramHead {
  readonly digest: string;
  readonly command: readonly string[];
  readonly env: readonly string[];
  /** The content is the artifact's bytes, then each resource's, in this order. */
  readonly artifactBytes: number;
  readonly resources: readonly { readonly path: string; readonly bytes: number }[];
  readonly forget: readonly string[];
}

export interface RunHead {
  readonly digest: string;
  readonly approved: boolean;
  readonly userId: string;
  readonly invocationId: string;
  readonly memoryMb: number;
  readonly outputBytes: number;
}

/** What a worker tells the manager. The `detail` of a failure is for our logs: the cause of what was unforeseen. */
export type FromWorker =
  /** Takes calls from now on. */
  | { readonly type: 'ready' }
  | { readonly type: 'prepared'; readonly call: number }
  | { readonly type: 'result'; readonly call: number; readonly head: ResultHead; readonly contentJson: string }
  | {
      readonly type: 'failed';
      readonly call: number;
      readonly code: ErrorCode;
      readonly message: string;
      readonly detail: string;
    }
  | { readonly type: 'step'; readonly call: number; readonly step: number; readonly stepJson: string }
  | { readonly type: 'abandoned'; readonly call: number };

export interface ResultHead {
  readonly parts: readonly Part[];
  readonly steps: number;
  readonly peakMemoryBytes: number;
  readonly runMs: number;
}

const TO_WORKER = { program: 1, prepare: 2, run: 3, answer: 4, abandon: 5 } as const;
const FROM_WORKER = { ready: 65, prepared: 66, result: 67, failed: 68, step: 69, abandoned: 70 } as const;

export function sendToWorker(link: Link, message: ToWorker): void {
  const type = TO_WORKER[message.type];
  switch (message.type) {
    case 'program':
      link.send(type, 0, JSON.stringify(message.head), message.content);
      return;
    case 'prepare':
      link.send(type, message.call, JSON.stringify(message.digest));
      return;
    case 'run':
      link.send(type, message.call, JSON.stringify(message.head), message.paramsJson);
      return;
    case 'answer':
      link.send(type, message.call, JSON.stringify({ step: message.step, field: message.field }), message.json);
      return;
    case 'abandon':
      link.send(type, message.call, '');
      return;
  }
}

/** In the worker: what comes from the manager is ours, so its heads are taken as they are. */
export function readToWorker(frame: Frame): ToWorker {
  const { call } = frame;
  switch (frame.type) {
    case TO_WORKER.program: {
      const at = frame.payload.indexOf(NEWLINE);
      return {
        type: 'program',
        head: JSON.parse(frame.payload.toString('utf8', 0, at)),
        content: ownBytes(frame.payload.subarray(at + 1)),
      };
    }
    case TO_WORKER.prepare:
      return { type: 'prepare', call, digest: JSON.parse(splitPayload(frame).head) };
    case TO_WORKER.run: {
      const { head, body } = splitPayload(frame);
      return { type: 'run', call, head: JSON.parse(head), paramsJson: body };
    }
    case TO_WORKER.answer: {
      const { head, body } = splitPayload(frame);
      return { type: 'answer', call, ...JSON.parse(head), json: body };
    }
    case TO_WORKER.abandon:
      return { type: 'abandon', call };
    default:
      throw new FrameError(`The manager sent a message of unknown type ${frame.type}.`);
  }
}

export function sendFromWorker(link: Link, message: FromWorker): void {
  const type = FROM_WORKER[message.type];
  switch (message.type) {
    case 'ready':
      link.send(type, 0, '');
      return;
    case 'result':
      link.send(type, message.call, JSON.stringify(message.head), message.contentJson);
      return;
    case 'failed':
      link.send(type, message.call, JSON.stringify({ code: message.code, message: message.message, detail: message.detail }));
      return;
    case 'step':
      link.send(type, message.call, JSON.stringify({ step: message.step }), message.stepJson);
      return;
    case 'prepared':
    case 'abandoned':
      link.send(type, message.call, '');
      return;
  }
}

/** In the manager: everything is checked, and what does not fit is a `FrameError`. */
export function readFromWorker(frame: Frame): FromWorker {
  const { call } = frame;
  switch (frame.type) {
    case FROM_WORKER.ready:
      return { type: 'ready' };
    case FROM_WORKER.prepared:
      return { type: 'prepared', call };
    case FROM_WORKER.result: {
      const { head, body } = splitPayload(frame);
      return { type: 'result', call, head: readResultHead(parseFields(head)), contentJson: body };
    }
    case FROM_WORKER.failed: {
      const fields = parseFields(splitPayload(frame).head);
      const code = fields.text('code');
      if (!isErrorCode(code)) throw new FrameError('A worker reported an error code that is not in the list.');
      return { type: 'failed', call, code, message: fields.text('message'), detail: fields.text('detail') };
    }
    case FROM_WORKER.step: {
      const { head, body } = splitPayload(frame);
      return { type: 'step', call, step: parseFields(head).index('step'), stepJson: body };
    }
    case FROM_WORKER.abandoned:
      return { type: 'abandoned', call };
    default:
      throw new FrameError(`A worker sent a message of unknown type ${frame.type}.`);
  }
}

function readResultHead(fields: Fields): ResultHead {
  return {
    parts: fields.list('parts').map((part) => ({
      mediaType: part.text('mediaType'),
      data: part.text('data'),
      uri: part.text('uri'),
      name: part.text('name'),
    })),
    steps: fields.index('steps'),
    peakMemoryBytes: fields.amount('peakMemoryBytes'),
    runMs: fields.amount('runMs'),
  };
}

const NEWLINE = 10;

/** Below this size a view would keep a whole socket read (64 KiB) in memory; above, a copy would cost more. */
const COPY_BELOW_BYTES = 32 * 1024;

function ownBytes(view: Buffer): Uint8Array {
  return view.length < COPY_BELOW_BYTES ? Uint8Array.from(view) : view;
}

/** Head and body as text. A head is JSON without spacing: the first newline ends it. */
function splitPayload(frame: Frame): { head: string; body: string } {
  const text = frame.payload.toString('utf8');
  const at = text.indexOf('\n');
  if (at < 0) throw new FrameError('A message has no end of its head.');
  return { head: text.slice(0, at), body: text.slice(at + 1) };
}
