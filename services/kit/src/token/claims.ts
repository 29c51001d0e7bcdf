import { z } from 'zod';

/**
 * What one token says (DESIGN §3): who calls, what exactly runs, what it may reach, for how long. The
 * schema is closed: a claim that is missing, extra or of another type makes the token invalid.
 */

/** The longest life of a token, in seconds (seed 003 §7.2). */
export const TOKEN_LIFETIME_S = 60;

/** Tools run with `EXECUTION`; `PREPARATION` is good for making a tool ready and nothing else. */
export const TOKEN_TYPES = { EXECUTION: 'yuanbot-exec+jwt', PREPARATION: 'yuanbot-prepare+jwt' } as const;
export type TokenType = (typeof TOKEN_TYPES)[keyof typeof TOKEN_TYPES];

/** The protected header of every token of ours, encoded: exactly these members in this order, so it can be compared as text. */
export function encodedHeader(type: TokenType, kid: string): string {
  return Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: type, kid })).toString('base64url');
}

/** Ids come from callers: long enough for any of theirs, too short to be a burden. */
const text = z.string().max(256);
const nonEmptyText = text.min(1);
const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const names = z.array(nonEmptyText).max(64);
const positiveInteger = z.int().positive();

export const claimsSchema = z.strictObject({
  iss: nonEmptyText,
  /** One string: a list of audiences is refused. */
  aud: nonEmptyText,
  /** The user. */
  sub: text,
  /** The session. */
  sid: text,
  /** Single use. */
  jti: z.uuid(),
  /** The invocation id. */
  inv: nonEmptyText,
  /** True when the caller chose the invocation id: it is then an idempotency key, and its outcome is remembered. */
  idem: z.boolean(),
  /** Seconds since 1970, with milliseconds as the fraction (a JWT NumericDate may have one). */
  iat: z.number().positive(),
  exp: z.number().positive(),
  tool: nonEmptyText,
  ver: text,
  /** Of the canonical executor descriptor. */
  digest,
  perm: z.enum(['readonly', 'user_data', 'system']),
  /** Of the canonical parameters, after defaults. */
  params_sha256: digest,
  scope: z.strictObject({ fs: z.enum(['none', 'read']), net: names, db: names, secrets: names }),
  limits: z.strictObject({
    timeout_ms: positiveInteger,
    memory_mb: positiveInteger,
    cpus: z.number().positive(),
    pids: positiveInteger,
    output_bytes: positiveInteger,
  }),
  /** The approval that allowed the call, when one was needed. */
  approval: nonEmptyText.optional(),
});

export type Claims = z.infer<typeof claimsSchema>;

/** Who mints, and who alone accepts. */
export const TOKEN_ISSUER = 'yuanbot-orchestrator';
export const TOKEN_AUDIENCE = 'yuanbot-sandbox-manager';
