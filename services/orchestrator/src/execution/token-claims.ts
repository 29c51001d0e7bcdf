import type { ClaimsToMint } from '@yuanbot/kit/token';
import type { Tool, ToolExecutor } from '../registry/model.ts';

/** Who calls, and under which id. */
export interface CallIdentity {
  readonly userId: string;
  readonly sessionId: string;
  readonly invocationId: string;
  /** True when the caller chose the id: it is then an idempotency key. */
  readonly idempotent: boolean;
}

/** What the token for one call of a tool says: exactly what the tool's file declares, and never more (DESIGN §3). */
export function callClaims(
  tool: Tool,
  executor: ToolExecutor,
  identity: CallIdentity,
  paramsDigest: string,
  timeoutMs: number,
): ClaimsToMint {
  return {
    sub: identity.userId,
    sid: identity.sessionId,
    inv: identity.invocationId,
    idem: identity.idempotent,
    tool: tool.id,
    ver: tool.version,
    digest: executor.digest,
    perm: tool.permissionLevel,
    params_sha256: paramsDigest,
    scope: { fs: tool.scope.fs, net: [...tool.scope.net], db: [...tool.scope.db], secrets: [...tool.scope.secrets] },
    limits: {
      timeout_ms: timeoutMs,
      memory_mb: tool.limits.memoryMb,
      cpus: tool.limits.cpus,
      pids: tool.limits.pids,
      output_bytes: tool.limits.outputBytes,
    },
  };
}
