import { type ErrorCode, type ExecutorDescriptor, type Limits, type PermissionLevel, ToolCallError } from '@yuanbot/contract';
import { canonicalJson, sha256Digest } from '@yuanbot/kit/canonical';
import { type Claims, TOKEN_TYPES, TokenError, type TokenVerifier } from '@yuanbot/kit/token';

/** A call as it arrives: nothing in it is believed before the token has been checked against it. */
export interface CallRequest {
  readonly toolId: string;
  readonly invocationId: string;
  /** Canonical JSON of an object. */
  readonly paramsJson: string;
  readonly token: string;
  readonly executor: ExecutorDescriptor;
}

/** A call that may run, and all that it may do: every value comes from the token's claims. */
export interface AdmittedCall {
  readonly toolId: string;
  readonly invocationId: string;
  readonly userId: string;
  readonly paramsJson: string;
  readonly executor: ExecutorDescriptor;
  readonly executorDigest: string;
  readonly permissionLevel: PermissionLevel;
  readonly limits: Limits;
  readonly approved: boolean;
  readonly idempotent: boolean;
  /** Equal exactly for calls that are the same request. */
  readonly fingerprint: string;
  readonly claims: Claims;
}

/**
 * Checks that the token is genuine and is for exactly this call (DESIGN §3, SECURITY Token). Throws `ToolCallError`
 * ERR_TOKEN_INVALID, ERR_TOKEN_EXPIRED or ERR_SCOPE_DENIED; has no effect: the token is used up by `consumeToken`.
 */
export function admitCall(request: CallRequest, verifier: TokenVerifier): AdmittedCall {
  const claims = withTokenErrors(() => verifier.verify(request.token, TOKEN_TYPES.EXECUTION));
  const executorDigest = digestOf(request.executor);
  if (claims.tool !== request.toolId) throw notForThis('tool');
  if (claims.inv !== request.invocationId) throw notForThis('invocation');
  if (claims.digest !== executorDigest) throw notForThis('executor');
  if (claims.params_sha256 !== sha256Digest(request.paramsJson)) throw notForThis('parameters');
  checkScope(request.executor, claims);
  return {
    toolId: claims.tool,
    invocationId: claims.inv,
    userId: claims.sub,
    paramsJson: request.paramsJson,
    executor: request.executor,
    executorDigest,
    permissionLevel: claims.perm,
    limits: {
      timeoutMs: claims.limits.timeout_ms,
      memoryMb: claims.limits.memory_mb,
      cpus: claims.limits.cpus,
      pids: claims.limits.pids,
      outputBytes: claims.limits.output_bytes,
    },
    approved: true,
    idempotent: claims.idem,
    fingerprint: [claims.tool, claims.ver, claims.digest, claims.params_sha256, claims.sub, claims.sid].join('\n'),
    claims,
  };
}

/** Checks the token of a preparation: genuine, for this executor. Throws as `admitCall`. */
export function admitPreparation(
  token: string,
  executor: ExecutorDescriptor,
  verifier: TokenVerifier,
): { executorDigest: string; claims: Claims } {
  const claims = withTokenErrors(() => verifier.verify(token, TOKEN_TYPES.PREPARATION));
  const executorDigest = digestOf(executor);
  if (claims.digest !== executorDigest) throw notForThis('executor');
  return { executorDigest, claims };
}

/** Uses the token up. Rejects with ERR_TOKEN_REPLAYED when it was used before. */
export async function consumeToken(claims: Claims, verifier: TokenVerifier): Promise<void> {
  try {
    await verifier.consume(claims);
  } catch (error) {
    throw asTokenFailure(error);
  }
}

function digestOf(executor: ExecutorDescriptor): string {
  return sha256Digest(canonicalJson(executor));
}

/** An executor may ask for no more than the token's scope grants. */
function checkScope(executor: ExecutorDescriptor, { scope }: Claims): void {
  const secret = executor.env.find((name) => !scope.secrets.includes(name));
  if (secret !== undefined) throw new ToolCallError('ERR_SCOPE_DENIED', `The token does not allow the secret ${secret}.`);
  if (executor.resources.length > 0 && scope.fs !== 'read') {
    throw new ToolCallError('ERR_SCOPE_DENIED', 'The token does not allow the tool to read files.');
  }
  if (executor.network !== 'none') {
    throw new ToolCallError('ERR_SCOPE_DENIED', 'This sandbox manager gives tools no network.');
  }
}

function withTokenErrors<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw asTokenFailure(error);
  }
}

const CODES = {
  invalid: 'ERR_TOKEN_INVALID',
  expired: 'ERR_TOKEN_EXPIRED',
  replayed: 'ERR_TOKEN_REPLAYED',
} as const satisfies Record<TokenError['reason'], ErrorCode>;

function asTokenFailure(error: unknown): unknown {
  return error instanceof TokenError ? new ToolCallError(CODES[error.reason], error.message, { cause: error }) : error;
}

function notForThis(what: string): ToolCallError {
  return new ToolCallError('ERR_TOKEN_INVALID', `The execution token was refused: it is for another ${what}.`);
}
