import { type KeyObject, verify } from 'node:crypto';
import { type Claims, claimsSchema, encodedHeader, TOKEN_LIFETIME_S, TOKEN_TYPES, type TokenType } from './claims.ts';
import type { ReplayMemory } from './replay.ts';

/** How far two machines' clocks may differ, in seconds. */
const CLOCK_TOLERANCE_S = 2;

/** A token of ours is about 1.2 kB; nothing near this size is one. */
const MAX_TOKEN_LENGTH = 16_384;

export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly reason: 'invalid' | 'expired' | 'replayed';

  constructor(reason: 'invalid' | 'expired' | 'replayed', message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface TokenVerifierOptions {
  /** Ed25519 public keys by `kid`: the current one and those it overlaps with. */
  readonly keys: ReadonlyMap<string, KeyObject>;
  readonly issuer: string;
  readonly audience: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly replay: ReplayMemory;
  /**
   * Tokens issued before this moment (ms since 1970) are refused: a memory that began empty cannot know whether
   * they were used. Undefined when the replay memory outlives the process.
   */
  readonly notIssuedBefore: number | undefined;
}

/** Checks everything that a token says about itself. Whether it is *for this call* is the caller's check. */
export interface TokenVerifier {
  /** The claims of a token that is genuine, current and of this type. Throws `TokenError`. Has no effect. */
  verify(token: string, type: TokenType): Claims;
  /** Uses the token up; call it when nothing but running the call is left to do. Rejects with `TokenError` 'replayed'. */
  consume(claims: Claims): void | Promise<void>;
}

export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const { keys, issuer, audience, now, replay, notIssuedBefore } = options;
  const keysByHeader = indexByHeader(keys);
  return {
    verify(token, type) {
      const claims = parseClaims(genuinePayload(token, type, keysByHeader[type]));
      const nowS = now() / 1000;
      if (claims.iss !== issuer) throw invalid('it was issued by somebody else');
      if (claims.aud !== audience) throw invalid('it is meant for another service');
      if (claims.exp - claims.iat > TOKEN_LIFETIME_S || claims.exp <= claims.iat)
        throw invalid('its life is not within 60 seconds');
      if (claims.iat > nowS + CLOCK_TOLERANCE_S) throw invalid('it was issued in the future');
      if (claims.exp <= nowS - CLOCK_TOLERANCE_S) throw new TokenError('expired', 'The execution token has expired.');
      if (notIssuedBefore !== undefined && claims.iat * 1000 < notIssuedBefore) {
        throw invalid('it was issued before this sandbox manager started');
      }
      return claims;
    },
    async consume(claims) {
      if (!(await replay.record(claims.jti, (claims.exp + CLOCK_TOLERANCE_S) * 1000))) {
        throw new TokenError('replayed', 'The execution token was used before.');
      }
    },
  };
}

/** The payload of a compact JWS whose header is exactly ours and whose signature holds. */
function genuinePayload(token: string, type: TokenType, keysByHeader: ReadonlyMap<string, KeyObject>): string {
  if (token.length > MAX_TOKEN_LENGTH) throw invalid('it is too long');
  const match = /^([\w-]+)\.([\w-]+)\.([\w-]{86})$/.exec(token);
  if (match === null) throw invalid('it is not a signed token');
  const [, header = '', payload = '', signature = ''] = match;
  const key = keysByHeader.get(header);
  if (key === undefined) throw invalid(whyHeaderIsRefused(header, type));
  if (!verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))) {
    throw invalid('its signature does not hold');
  }
  return Buffer.from(payload, 'base64url').toString('utf8');
}

type KeysByHeader = Readonly<Record<TokenType, ReadonlyMap<string, KeyObject>>>;

/**
 * The headers that are accepted, one for each key and type, and nothing else: no `none`, no other algorithm, no `crit`, no
 * embedded or remote key, no other spelling.
 */
function indexByHeader(keys: ReadonlyMap<string, KeyObject>): KeysByHeader {
  const of = (type: TokenType) => new Map([...keys].map(([kid, key]) => [encodedHeader(type, kid), key]));
  return { [TOKEN_TYPES.EXECUTION]: of(TOKEN_TYPES.EXECUTION), [TOKEN_TYPES.PREPARATION]: of(TOKEN_TYPES.PREPARATION) };
}

function whyHeaderIsRefused(encoded: string, type: TokenType): string {
  const header = parseJson(Buffer.from(encoded, 'base64url').toString('utf8'));
  const { alg, typ, kid, ...others } = Object(header) as Record<string, unknown>;
  if (alg !== 'EdDSA') return 'its algorithm is not EdDSA';
  if (typ !== type) return 'it is a token for something else';
  if (typeof kid !== 'string') return 'it does not name its key';
  if (Object.keys(others).length > 0) return 'its header is not ours';
  return 'it was signed with a key that is not known here';
}

function parseClaims(payload: string): Claims {
  const parsed = claimsSchema.safeParse(parseJson(payload));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(`its claim ${issue?.path.join('.') || 'set'} is not as it must be`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('it holds no JSON');
  }
}

function invalid(why: string): TokenError {
  return new TokenError('invalid', `The execution token was refused: ${why}.`);
}
