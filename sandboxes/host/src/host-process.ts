import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { type FromHost, readFromHost, sendToHost, type ToHost } from './link/control-messages.ts';
import { createLink } from './link/link.ts';
import type { PoolSettings } from './options.ts';
import type { HostStart } from './process/main.ts';
import { createTextTail } from './text-tail.ts';

/** A host process as the manager holds it: its control link, and the sockets its workers get. */
export interface HostProcess {
  /** 0 when it could not be started. */
  readonly pid: number;
  /**
   * Takes one of the inherited sockets for a new worker thread. A socket ends with its worker, and no new one can be
   * inherited later: undefined when none is left, and the process is to be replaced.
   */
  takeSocket(): { readonly socket: Socket; readonly descriptor: number } | undefined;
  tell(message: ToHost): void;
  /** SIGKILL; it is gone when `onClosed` is called. */
  kill(): void;
}

export interface HostProcessEvents {
  onMessage(message: FromHost): void;
  /** Once: the process is gone, and all its sockets with it. */
  onClosed(end: HostEnd): void;
}

export interface HostEnd {
  /** What ended it, in words for a log. */
  readonly cause: string;
  readonly stderr: string;
  /** V8 gave up for lack of memory. */
  readonly outOfMemory: boolean;
}

/** stdin, stdout and stderr come before; the control link is the first inherited socket. */
const CONTROL_DESCRIPTOR = 3;
/** The end of stderr that is kept, in UTF-16 units: V8's last words and a stack. */
const STDERR_TAIL_LENGTH = 8 * 1024;
/** V8's last words when it aborts the process for lack of memory. */
const OUT_OF_MEMORY = /out of memory|Allocation failed|invalid table size/i;

export function spawnHostProcess(settings: PoolSettings, events: HostProcessEvents): HostProcess {
  const start: HostStart = {
    controlDescriptor: CONTROL_DESCRIPTOR,
    workerModule: settings.workerModule,
    maxPayloadBytes: settings.maxPayloadBytes,
  };
  const { file, args } = settings.isolation.wrap([
    settings.nodePath,
    '--expose-gc',
    ...settings.nodeFlags,
    settings.entry,
    JSON.stringify(start),
  ]);
  const sockets = settings.workersPerHost * settings.livesPerWorker;
  const child = spawn(file, args, {
    env: {},
    cwd: '/',
    // A session of its own: Ctrl-C in a terminal is the manager's to handle.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', ...Array.from({ length: sockets }, () => 'pipe' as const)],
  });

  const stderr = createTextTail(STDERR_TAIL_LENGTH);
  let cause: string | undefined;
  child.stderr?.setEncoding('utf8').on('data', (text: string) => stderr.add(text));
  child.on('error', (error) => {
    cause = `It could not be started: ${error.message}.`;
    // A process that never was has no `close` event of its own in every case.
    if (child.pid === undefined) finish();
  });
  child.on('close', (code, signal) => {
    cause ??= signal === null ? `It exited with code ${code}.` : `It was ended by ${signal}.`;
    finish();
  });

  let finished = false;
  function finish(): void {
    if (finished) return;
    finished = true;
    events.onClosed({ cause: cause ?? '', stderr: stderr.text(), outOfMemory: OUT_OF_MEMORY.test(stderr.text()) });
  }

  function kill(): void {
    child.kill('SIGKILL');
  }

  const control = createLink(socketAt(child, CONTROL_DESCRIPTOR), {
    maxPayloadBytes: settings.maxPayloadBytes,
    pauseWhenFull: false,
    onFrame: (frame) => events.onMessage(readFromHost(frame)),
    onClose(broken) {
      if (broken !== undefined) cause ??= `Its control link broke: ${broken.message}.`;
      kill();
    },
  });
  // Until a worker takes it, a socket only has to notice its end.
  for (let index = 1; index <= sockets; index++)
    socketAt(child, CONTROL_DESCRIPTOR + index)
      .on('error', () => {})
      .resume();

  let nextDescriptor = CONTROL_DESCRIPTOR + 1;
  return {
    pid: child.pid ?? 0,
    takeSocket() {
      if (nextDescriptor > CONTROL_DESCRIPTOR + sockets) return undefined;
      const descriptor = nextDescriptor++;
      return { socket: socketAt(child, descriptor), descriptor };
    },
    tell: (message) => sendToHost(control, message),
    kill,
  };
}

function socketAt(child: ChildProcess, descriptor: number): Socket {
  return child.stdio[descriptor] as Socket;
}
