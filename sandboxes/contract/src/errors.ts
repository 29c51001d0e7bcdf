import { printableText } from './printable-text.ts';

/**
 * The closed list of error codes a tool call can end with.
 *
 * A code is stable API: clients switch on it. Adding one means adding it to `docs` in README.md
 * (a test keeps the two lists equal), removing one is a breaking change.
 */
export const ERROR_CODES = [
  'ERR_TOOL_NOT_FOUND',
  'ERR_TOOL_DISABLED',
  'ERR_PARAMS_INVALID',
  'ERR_PERMISSION_DENIED',
  'ERR_APPROVAL_REJECTED',
  'ERR_APPROVAL_TIMEOUT',
  'ERR_APPROVAL_UNDELIVERABLE',
  'ERR_TOKEN_INVALID',
  'ERR_TOKEN_EXPIRED',
  'ERR_TOKEN_REPLAYED',
  'ERR_SCOPE_DENIED',
  'ERR_SANDBOX_UNAVAILABLE',
  'ERR_POOL_EXHAUSTED',
  'ERR_SANDBOX_START',
  'ERR_SANDBOX_TIMEOUT',
  'ERR_SANDBOX_MEMORY',
  'ERR_SANDBOX_CRASHED',
  'ERR_OUTPUT_LIMIT',
  'ERR_OUTPUT_INVALID',
  'ERR_EGRESS_DENIED',
  'ERR_EGRESS_FAILED',
  'ERR_SECRET_MISSING',
  'ERR_STEP_INVALID',
  'ERR_STEP_LIMIT',
  'ERR_TOOL_FAILED',
  'ERR_CANCELLED',
  'ERR_INTERNAL',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

const CODES: ReadonlySet<string> = new Set(ERROR_CODES);

export function isErrorCode(text: string): text is ErrorCode {
  return CODES.has(text);
}

/**
 * A tool call that ended without a result. The message is a sentence a model can read and act on;
 * it never carries a stack, a token, a secret or a path of the platform. Whatever it quotes, it is printable: this is the one
 * gate that every message passes. The `cause` is for our logs.
 */
export class ToolCallError extends Error {
  override readonly name = 'ToolCallError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(printableText(message), options);
    this.code = code;
  }
}

/**
 * The one place where an unforeseen failure becomes a coded one: a `ToolCallError` anywhere on the
 * `cause` chain keeps its code and message; anything else is `ERR_INTERNAL` with a neutral sentence.
 */
export function asToolCallError(error: unknown): ToolCallError {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    if (at instanceof ToolCallError) return at;
  }
  return new ToolCallError(
    'ERR_INTERNAL',
    'The platform failed while it ran this call; the operator finds the cause in the log.',
    {
      cause: error,
    },
  );
}
