import type { Log } from '@yuanbot/kit/logging';
import type { CallMetrics } from '@yuanbot/kit/metrics';
import type { CallObserver } from './run-call.ts';

/** Tool ids that get a time series of their own, at most: an id is a label only after a token has vouched for it. */
const MAX_TOOL_LABELS = 2_000;

/** Reports each call that has ended to the metrics and the log. */
export function createCallReport(metrics: CallMetrics, log: Log): CallObserver {
  const vouchedFor = new Set<string>();

  return {
    callEnded({ toolId, invocationId, executor }, { error, disposition, stats }, totalMs, cause) {
      if (disposition === 'ran' && vouchedFor.size < MAX_TOOL_LABELS) vouchedFor.add(toolId);
      const code = error?.code ?? 'ok';
      metrics.observeCall({
        toolId: vouchedFor.has(toolId) ? toolId : 'unknown',
        sandbox: executor.kind,
        code,
        queueMs: stats?.queueMs,
        startMs: stats?.startMs,
        runMs: stats?.runMs,
        totalMs,
      });
      const fields = {
        invocation_id: invocationId,
        tool_id: toolId,
        sandbox: executor.kind,
        code,
        disposition,
        total_ms: totalMs,
      };
      if (code === 'ERR_INTERNAL') log.error({ ...fields, err: cause }, 'a call failed inside the platform');
      else log.info(fields, 'call ended');
    },
  };
}
