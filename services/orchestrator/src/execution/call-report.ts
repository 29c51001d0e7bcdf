import type { Log } from '@yuanbot/kit/logging';
import type { CallMetrics } from '@yuanbot/kit/metrics';
import type { ToolCallObserver } from './tool-calls.ts';

/** Where a call that never reached a sandbox is counted. */
const NO_SANDBOX = 'none';

/** Sandbox labels that calls are counted under. */
export const SANDBOX_LABELS_BESIDE_KINDS = [NO_SANDBOX];

/** Reports each call that has ended to the metrics and the log. */
export function createCallReport(metrics: CallMetrics, log: Log): ToolCallObserver {
  return {
    toolCallEnded({ toolId, userId, sessionId }, { invocationId, error, stats }, cause) {
      const { sandbox = NO_SANDBOX, execution, totalMs, fallback } = stats;
      const code = error?.code ?? 'ok';
      metrics.observeCall({
        toolId,
        sandbox,
        code,
        queueMs: execution?.queueMs,
        startMs: execution?.startMs,
        runMs: execution?.runMs,
        totalMs,
      });
      const fields = {
        invocation_id: invocationId,
        tool_id: toolId,
        user_id: userId,
        session_id: sessionId,
        sandbox,
        code,
        total_ms: totalMs,
        fallback,
      };
      if (code === 'ERR_INTERNAL') log.error({ ...fields, err: cause }, 'a call failed inside the platform');
      else log.info(fields, 'call ended');
    },
  };
}
