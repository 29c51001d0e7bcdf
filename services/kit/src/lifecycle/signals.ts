import type { Lifecycle, ShutdownDeadlines, ShutdownReport } from './lifecycle.ts';

/** What of `process` is needed. */
export interface ProcessLike {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  off(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  exit(code: number): void;
}

export interface SignalHandlersOptions {
  readonly process: ProcessLike;
  readonly lifecycle: Pick<Lifecycle, 'shutdown' | 'force'>;
  readonly deadlines: ShutdownDeadlines;
  /** Told before the process ends; the place to write the report to the log. */
  readonly onStopped: (report: ShutdownReport) => void;
}

/**
 * SIGTERM or SIGINT shuts down, then ends the process: code 0 after a clean shutdown, 1 otherwise. A second signal of
 * either kind forces. Returns a function that removes the handlers again.
 */
export function installSignalHandlers({ process, lifecycle, deadlines, onStopped }: SignalHandlersOptions): () => void {
  let stopping = false;
  const onSignal = (): void => {
    if (stopping) {
      lifecycle.force();
      return;
    }
    stopping = true;
    void lifecycle.shutdown(deadlines).then((report) => {
      onStopped(report);
      process.exit(report.clean ? 0 : 1);
    });
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return () => {
    process.off('SIGTERM', onSignal);
    process.off('SIGINT', onSignal);
  };
}
