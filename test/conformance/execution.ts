import type { Executable, Execution, Limits, Step, StepAnswer } from '@yuanbot/contract';

/** What a call of the suite may use, where its test says nothing else. */
export const LIMITS: Limits = { timeoutMs: 20_000, memoryMb: 64, cpus: 1, pids: 32, outputBytes: 64 * 1024 };

/** A call of `executable`; steps are refused unless `performStep` is given. */
export function executionOf(
  executable: Executable,
  changes: {
    paramsJson?: string;
    limits?: Partial<Limits>;
    signal?: AbortSignal;
    performStep?: (step: Step) => Promise<StepAnswer>;
    onStarted?: () => void;
  } = {},
): Execution {
  const { paramsJson = '{}', limits = {}, signal = new AbortController().signal } = changes;
  return {
    executable,
    call: { paramsJson, approved: true, userId: 'user-缘', invocationId: 'conformance' },
    permissionLevel: 'readonly',
    limits: { ...LIMITS, ...limits },
    signal,
    performStep: changes.performStep ?? (() => Promise.reject(new Error('this test expects no step'))),
    onStarted: changes.onStarted ?? (() => undefined),
  };
}
