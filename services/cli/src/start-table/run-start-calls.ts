import { createClient } from '@yuanbot/proto';
import { CapabilityService } from '@yuanbot/proto/capability';
import { SandboxManagerService } from '@yuanbot/proto/sandbox';
import type { Platform } from '../platform/index.ts';
import { calledRow, START_CALLS, type StartCall, type StartRow, unavailableRow } from './start-row.ts';

export interface StartCallOptions {
  readonly signal: AbortSignal;
  /** Sentences for a person who waits. */
  onProgress(sentence: string): void;
}

const DESCRIBE_TIMEOUT_MS = 30_000;
/** The first call of a docker tool may wait for its image: a pull and a build. */
const CALL_TIMEOUT_MS = 600_000;
/** A warm call takes milliseconds; from here on somebody wonders what is happening. */
const SLOW_AFTER_MS = 3_000;

/** One real call through every sandbox that is there, all at once. Rejects with `RpcError` when a service does not answer. */
export async function runStartCalls(platform: Platform, options: StartCallOptions): Promise<readonly StartRow[]> {
  const capability = createClient(CapabilityService, platform.orchestrator.listen);
  const manager = createClient(SandboxManagerService, platform.sandboxManager.listen);
  const { signal, onProgress } = options;

  const runOne = async (call: StartCall, sandboxes: Awaited<ReturnType<typeof manager.describe>>['sandboxes']) => {
    const found = sandboxes.find(({ kind }) => kind === call.executor);
    if (!found?.available) return unavailableRow(call, found);
    const since = performance.now();
    const slow = setInterval(() => {
      const seconds = Math.round((performance.now() - since) / 1000);
      onProgress(`${call.tool} is being made ready (${seconds} s); an image is built at its first call …`);
    }, SLOW_AFTER_MS);
    try {
      const request = {
        toolId: call.tool,
        paramsJson: JSON.stringify(call.params),
        userId: 'start',
        sessionId: 'start',
        locale: 'en',
      };
      const { result } = await capability.executeTool(request, { signal, timeoutMs: CALL_TIMEOUT_MS });
      if (result === undefined) throw new Error('The platform answered a call without a result.');
      return calledRow(call, found, result, performance.now() - since);
    } finally {
      clearInterval(slow);
    }
  };

  try {
    onProgress('Calling one tool in every sandbox …');
    const { sandboxes } = await manager.describe({}, { signal, timeoutMs: DESCRIBE_TIMEOUT_MS });
    return await Promise.all(START_CALLS.map((call) => runOne(call, sandboxes)));
  } finally {
    capability.close();
    manager.close();
  }
}
