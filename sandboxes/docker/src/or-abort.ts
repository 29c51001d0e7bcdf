/** Settles as `work` does, or rejects with the signal's reason as soon as that is aborted; `work` itself goes on. */
export function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = () => reject(signal.reason);
    signal.addEventListener('abort', give, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
    if (signal.aborted) give();
  });
}

/** Settles as `work` does, or rejects with a `TimeoutError` after `limitMs`; `work` itself goes on. */
export function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return orAbort(work, AbortSignal.timeout(limitMs));
}

/** Whether `within` gave up. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}
