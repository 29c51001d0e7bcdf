import { parseKeepingNumbers } from '@yuanbot/contract';
import type { ToolExecutionResult } from '@yuanbot/proto/capability';
import { sandboxName } from './names.ts';

/** A call's outcome for `--json`. `result` is the tool's own JSON; null when it failed. */
export function resultDocument(result: ToolExecutionResult) {
  const { stats } = result;
  return {
    invocation_id: result.invocationId,
    tool_id: result.toolId,
    success: result.success,
    result: result.success && result.resultJson !== '' ? parseKeepingNumbers(result.resultJson) : null,
    error_code: result.errorCode === '' ? null : result.errorCode,
    error: result.error ?? null,
    parts: result.parts.map(({ mediaType, data, uri, name }) => ({
      media_type: mediaType,
      name,
      uri,
      data_base64: Buffer.from(data).toString('base64'),
    })),
    stats:
      stats === undefined
        ? null
        : {
            sandbox: sandboxName(stats.sandbox),
            isolation: stats.isolation,
            fallback: stats.fallback,
            warm: stats.warm,
            queue_ms: stats.queueMs,
            start_ms: stats.startMs,
            run_ms: stats.runMs,
            total_ms: stats.totalMs,
            peak_memory_bytes: Number(stats.peakMemoryBytes),
          },
  };
}
