import { SandboxKind, type ToolExecutionResult } from '@yuanbot/proto/capability';
import { ExecutorKind, type Sandbox } from '@yuanbot/proto/sandbox';
import { sandboxName } from '../documents/names.ts';

/** The call that shows that a sandbox works: one shipped tool each. */
export interface StartCall {
  readonly executor: ExecutorKind;
  readonly sandbox: SandboxKind;
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export const START_CALLS: readonly StartCall[] = [
  { executor: ExecutorKind.LOCAL_THREAD, sandbox: SandboxKind.LOCAL_THREAD, tool: 'get_current_datetime', params: {} },
  {
    executor: ExecutorKind.WASM,
    sandbox: SandboxKind.WASM,
    tool: 'convert_data',
    params: { from: 'csv', to: 'json', input: 'name,city\n小缘,北京\n' },
  },
  { executor: ExecutorKind.DOCKER, sandbox: SandboxKind.DOCKER, tool: 'text_stats', params: { text: '你好，缘·Bot。' } },
];

/** One line of the start table. */
export interface StartRow {
  readonly sandbox: string;
  readonly tool: string;
  readonly isolation: string;
  readonly state: 'ok' | 'failed' | 'unavailable';
  /** The tool's result as JSON text when `ok`; else what stands in its way, and how to mend it. */
  readonly text: string;
  /** The code of a call that failed; empty otherwise. */
  readonly errorCode: string;
  /** From request to answer, in ms; undefined where nothing was called. */
  readonly timeMs: number | undefined;
}

/** A sandbox that the manager says is not there. */
export function unavailableRow({ sandbox, tool }: StartCall, found: Sandbox | undefined): StartRow {
  const text = found?.reason || 'The sandbox-manager does not know this sandbox.';
  return { sandbox: sandboxName(sandbox), tool, isolation: '', state: 'unavailable', text, errorCode: '', timeMs: undefined };
}

/** What came of a call in a sandbox that is there. */
export function calledRow({ sandbox, tool }: StartCall, found: Sandbox, result: ToolExecutionResult, timeMs: number): StartRow {
  const row = { sandbox: sandboxName(sandbox), tool, isolation: result.stats?.isolation || found.isolation, timeMs };
  if (result.success && result.stats?.sandbox === sandbox) return { ...row, state: 'ok', text: result.resultJson, errorCode: '' };
  if (result.success) {
    return { ...row, state: 'failed', text: `It ran in ${sandboxName(result.stats?.sandbox ?? 0)} instead.`, errorCode: '' };
  }
  const error = result.error || 'It failed without a reason.';
  return { ...row, state: isBaseImageMissing(result) ? 'unavailable' : 'failed', text: error, errorCode: result.errorCode };
}

/**
 * An engine without the tool's base image, on a machine that cannot pull it, is a sandbox that is not there: nothing
 * of ours is broken. The code is that of any start that failed; only the docker sandbox's sentence tells them apart.
 */
function isBaseImageMissing({ errorCode, error = '' }: ToolExecutionResult): boolean {
  return errorCode === 'ERR_SANDBOX_START' && /\bimage .* is not on this machine\b/s.test(error);
}
