/**
 * Makes an invocation id an idempotency key (DESIGN §3): the same id with the same request attaches to the running call or
 * gets its outcome, and runs nothing again.
 */
export interface CallMemory<T> {
  /**
   * Runs `start` unless `key` is known. Resolves to the outcome of the one run, whoever started it.
   *
   * Rejects with `CallMemoryError`: 'conflict' when the key is known for another request, 'forgotten' when it ran and
   * its outcome is no longer kept, 'full' when no more keys can be remembered (nothing ran in all three), and 'detached'
   * when `signal` aborts while others still wait: the last one to leave aborts the run itself and gets its outcome.
   */
  run(key: string, fingerprint: string, signal: AbortSignal, start: (signal: AbortSignal) => Promise<Remembered<T>>): Promise<T>;
  /** Keys known now. */
  readonly size: number;
}

export interface Remembered<T> {
  readonly outcome: T;
  /** False when nothing ran: the key is then forgotten at once, so that a retry runs. */
  readonly ran: boolean;
  /** What keeping the outcome costs, in bytes. */
  readonly bytes: number;
}

export class CallMemoryError extends Error {
  override readonly name = 'CallMemoryError';
  readonly reason: 'conflict' | 'forgotten' | 'full' | 'detached';

  constructor(reason: 'conflict' | 'forgotten' | 'full' | 'detached') {
    super(REASONS[reason]);
    this.reason = reason;
  }
}

const REASONS = {
  conflict: 'This invocation_id was used for another request within the last minutes. Use a fresh one for a new call.',
  forgotten:
    'This invocation_id ran before and its outcome is no longer kept; it is not run again. Use a fresh one to run it anew.',
  full: 'Too many invocation ids are remembered at the moment. Try again in a few minutes, or leave invocation_id empty.',
  detached: 'The call was cancelled; another caller still waits for it.',
} as const;

export interface CallMemoryOptions {
  /** How long a key is known after its call has ended, in ms. */
  readonly ttlMs: number;
  /** Outcomes kept at most, in bytes; the oldest are dropped first, their keys stay. */
  readonly maxBytes: number;
  /** Keys known at most, running ones included. About 200 bytes each. */
  readonly maxKeys: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface Running<T> {
  readonly state: 'running';
  readonly fingerprint: string;
  readonly done: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}
interface Ended<T> {
  readonly state: 'ended';
  readonly fingerprint: string;
  readonly expiresAt: number;
  /** Undefined once evicted. */
  kept: { readonly outcome: T; readonly bytes: number } | undefined;
}

export function createCallMemory<T>({ ttlMs, maxBytes, maxKeys, now }: CallMemoryOptions): CallMemory<T> {
  const running = new Map<string, Running<T>>();
  /** In the order in which they ended, hence of expiry. */
  const ended = new Map<string, Ended<T>>();
  /** The keys in `ended` that still keep their outcome, oldest first. */
  const keeping = new Set<string>();
  let bytes = 0;

  function drop(key: string, entry: Ended<T>): void {
    bytes -= entry.kept?.bytes ?? 0;
    entry.kept = undefined;
    keeping.delete(key);
  }

  function expire(): void {
    const at = now();
    for (const [key, entry] of ended) {
      if (entry.expiresAt > at) return;
      drop(key, entry);
      ended.delete(key);
    }
  }

  function remember(key: string, fingerprint: string, { outcome, bytes: cost }: Remembered<T>): void {
    ended.set(key, { state: 'ended', fingerprint, expiresAt: now() + ttlMs, kept: { outcome, bytes: cost } });
    keeping.add(key);
    bytes += cost;
    for (const oldest of keeping) {
      if (bytes <= maxBytes) return;
      const entry = ended.get(oldest);
      if (entry !== undefined) drop(oldest, entry);
    }
  }

  function begin(key: string, fingerprint: string, start: (signal: AbortSignal) => Promise<Remembered<T>>): Running<T> {
    const controller = new AbortController();
    const done = start(controller.signal).then(
      (remembered) => {
        running.delete(key);
        if (remembered.ran) remember(key, fingerprint, remembered);
        return remembered.outcome;
      },
      (error: unknown) => {
        running.delete(key);
        throw error;
      },
    );
    const entry: Running<T> = { state: 'running', fingerprint, done, controller, waiting: 0 };
    running.set(key, entry);
    return entry;
  }

  return {
    get size() {
      return running.size + ended.size;
    },
    async run(key, fingerprint, signal, start) {
      expire();
      // A run that everybody has left is ending: whoever comes now waits for its end, and learns then whether it ran.
      for (let leaving = running.get(key); leaving?.controller.signal.aborted; leaving = running.get(key)) {
        await untilEnded(leaving.done, signal);
      }
      const known = running.get(key) ?? ended.get(key);
      if (known !== undefined && known.fingerprint !== fingerprint) throw new CallMemoryError('conflict');
      if (known?.state === 'ended') {
        if (known.kept === undefined) throw new CallMemoryError('forgotten');
        return known.kept.outcome;
      }
      if (known === undefined && running.size + ended.size >= maxKeys) throw new CallMemoryError('full');
      return attach(known ?? begin(key, fingerprint, start), signal);
    },
  };
}

/** Resolves when `done` has settled, however. Rejects with 'detached' when `signal` aborts first. */
function untilEnded(done: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(new CallMemoryError('detached'));
    const end = () => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    done.then(end, end);
  });
}

/** Waits for a running call until it ends or this waiter leaves; the last one to leave ends the run. */
function attach<T>(call: Running<T>, signal: AbortSignal): Promise<T> {
  call.waiting++;
  return new Promise<T>((resolve, reject) => {
    const leave = () => {
      call.waiting--;
      if (call.waiting > 0) reject(new CallMemoryError('detached'));
      else call.controller.abort(signal.reason);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    call.done.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
