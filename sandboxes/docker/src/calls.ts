import { asToolCallError, ToolCallError } from '@yuanbot/contract';
import type { Log } from './log.ts';

/** What the driver is doing for somebody, so that it can be ended and waited for. */
export interface Calls {
  /**
   * Runs `work` under a signal that ends with the caller's, or when the driver closes; the signal's reason
   * is a ToolCallError. Rejects with nothing but a ToolCallError; what was unforeseen is logged.
   */
  track<T>(callerSignal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Ends everything with ERR_CANCELLED, refuses what comes later, and resolves when nothing is under way. */
  close(): Promise<void>;
}

export function createCalls(log: Log): Calls {
  const underWay = new Set<AbortController>();
  let idle = Promise.withResolvers<void>();
  let closed = false;

  function shuttingDown(): ToolCallError {
    return new ToolCallError('ERR_CANCELLED', 'The platform is shutting down; the call was ended.');
  }

  async function coded<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      const known = asToolCallError(error);
      if (known.code === 'ERR_INTERNAL') log('error', 'a call failed for a reason of ours', { error });
      else if (known.cause !== undefined) log('debug', known.message, { code: known.code, error: known.cause });
      throw known;
    }
  }

  return {
    async track(callerSignal, work) {
      if (closed) throw shuttingDown();
      const ending = new AbortController();
      const cancel = () => ending.abort(new ToolCallError('ERR_CANCELLED', 'The call was cancelled.'));
      if (callerSignal?.aborted) throw new ToolCallError('ERR_CANCELLED', 'The call was cancelled before it began.');
      callerSignal?.addEventListener('abort', cancel, { once: true });
      underWay.add(ending);
      try {
        return await coded(work(ending.signal));
      } finally {
        callerSignal?.removeEventListener('abort', cancel);
        underWay.delete(ending);
        if (underWay.size === 0) {
          idle.resolve();
          idle = Promise.withResolvers();
        }
      }
    },
    async close() {
      closed = true;
      for (const ending of underWay) ending.abort(shuttingDown());
      if (underWay.size > 0) await idle.promise;
    },
  };
}
