import { setImmediate as nextTurn } from 'node:timers/promises';

export interface ClosingReport {
  /** Names of those that had not ended when the time was over. */
  readonly unfinished: readonly string[];
  readonly failures: readonly { readonly name: string; readonly error: unknown }[];
}

/** What has to be closed, in the order it was opened. */
export interface Closers {
  add(name: string, close: () => void | Promise<void>): Promise<void>;
  /**
   * Runs all, last added first, each after the one before has ended. When `expired` resolves, the ones that are left are
   * still begun, one after the other, but no longer waited for: each may kill what it holds. Never rejects.
   */
  closeAll(expired: Promise<void>): Promise<ClosingReport>;
}

interface Closer {
  readonly name: string;
  readonly close: () => void | Promise<void>;
}

export function createClosers(): Closers {
  const pending: Closer[] = [];
  let closing = false;

  return {
    async add(name, close) {
      if (closing) await close();
      else pending.push({ name, close });
    },
    async closeAll(expired) {
      closing = true;
      const unfinished = new Set<string>();
      const failures: { name: string; error: unknown }[] = [];
      for (const { name, close } of pending.toReversed()) {
        unfinished.add(name);
        const done = run(close).then(
          () => unfinished.delete(name),
          (error: unknown) => {
            unfinished.delete(name);
            failures.push({ name, error });
          },
        );
        // One turn of the event loop after the deadline: a closer that ends at once has ended, however late it began.
        await Promise.race([done, expired.then(() => nextTurn())]);
      }
      return { unfinished: [...unfinished], failures: [...failures] };
    },
  };
}

async function run(close: () => void | Promise<void>): Promise<void> {
  await close();
}
