import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Claims,
  type ClaimsToMint,
  createReplayMemory,
  createTokenMinter,
  createTokenVerifier,
  ensureKeys,
  readPublicKeys,
  readSigningKey,
  TOKEN_TYPES,
  TokenError,
} from '@yuanbot/kit/token';
import fc from 'fast-check';
import { CompactSign, calculateJwkThumbprint, exportJWK, jwtVerify, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const NOW = 1_764_470_000_123;
const SHA = `sha256:${'a'.repeat(64)}`;

const toMint: ClaimsToMint = {
  sub: 'user-1',
  sid: 'session-1',
  inv: 'inv-1',
  idem: true,
  tool: 'calculate',
  ver: '1.0.0',
  digest: SHA,
  perm: 'readonly',
  params_sha256: SHA,
  scope: { fs: 'none', net: [], db: [], secrets: [] },
  limits: { timeout_ms: 1000, memory_mb: 64, cpus: 0.5, pids: 32, output_bytes: 1024 },
};

const pair = generateKeyPairSync('ed25519');
const key = { kid: 'key-1', privateKey: pair.privateKey };
const mint = createTokenMinter({ key, issuer: 'orchestrator', audience: 'sandbox-manager', now: () => NOW });

function verifier(overrides: { now?: number; notIssuedBefore?: number; keys?: ReadonlyMap<string, KeyObject> } = {}) {
  const now = () => overrides.now ?? NOW;
  return createTokenVerifier({
    keys: overrides.keys ?? new Map([[key.kid, pair.publicKey]]),
    issuer: 'orchestrator',
    audience: 'sandbox-manager',
    now,
    replay: createReplayMemory(now),
    notIssuedBefore: overrides.notIssuedBefore,
  });
}

/** Signs anything at all, so that each check can be met by a token that fails in that one point. */
function forge(header: object, payload: unknown, privateKey: KeyObject = pair.privateKey): string {
  const text = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
}

const header = { alg: 'EdDSA', typ: TOKEN_TYPES.EXECUTION, kid: key.kid };

function goodClaims(): Claims {
  return verifier().verify(mint(TOKEN_TYPES.EXECUTION, toMint), TOKEN_TYPES.EXECUTION);
}

function refusal(token: string, overrides: Parameters<typeof verifier>[0] = {}): string {
  try {
    verifier(overrides).verify(token, TOKEN_TYPES.EXECUTION);
  } catch (error) {
    if (error instanceof TokenError) return `${error.reason}: ${error.message}`;
    throw error;
  }
  return 'accepted';
}

describe('a minted token', () => {
  it('is what jose makes of the same claims, byte for byte', async () => {
    const token = mint(TOKEN_TYPES.EXECUTION, toMint);
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url');
    expect(await new CompactSign(payload).setProtectedHeader(header).sign(pair.privateKey)).toBe(token);
  });

  it('is accepted by jose with the strictest options', async () => {
    const { payload } = await jwtVerify(mint(TOKEN_TYPES.EXECUTION, toMint), pair.publicKey, {
      algorithms: ['EdDSA'],
      typ: TOKEN_TYPES.EXECUTION,
      issuer: 'orchestrator',
      audience: 'sandbox-manager',
      requiredClaims: ['exp', 'iat', 'jti', 'sub'],
      currentDate: new Date(NOW),
      maxTokenAge: 60,
      // jose's clock counts whole seconds, ours milliseconds.
      clockTolerance: 1,
    });
    expect(payload).toMatchObject(toMint);
  });

  it('carries the claims, a fresh jti each time, and lives 60 seconds', () => {
    const claims = goodClaims();
    expect(claims).toMatchObject({
      ...toMint,
      iss: 'orchestrator',
      aud: 'sandbox-manager',
      iat: NOW / 1000,
      exp: NOW / 1000 + 60,
    });
    expect(goodClaims().jti).not.toBe(claims.jti);
  });

  it('is accepted from jose, too', async () => {
    const token = await new SignJWT({ ...goodClaims() }).setProtectedHeader(header).sign(pair.privateKey);
    expect(refusal(token)).toBe('accepted');
  });
});

describe('the verifier refuses', () => {
  const stranger = generateKeyPairSync('ed25519');
  const cases: [string, () => string, RegExp][] = [
    ['another key under a known kid', () => forge(header, goodClaims(), stranger.privateKey), /invalid: .*signature/],
    ['an unknown kid', () => forge({ ...header, kid: 'key-2' }, goodClaims()), /invalid: .*not known here/],
    [
      'alg none',
      () =>
        `${forge({ ...header, alg: 'none' }, goodClaims())
          .split('.')
          .slice(0, 2)
          .join('.')}.`,
      /invalid: .*not a signed token/,
    ],
    ['alg none with a signature', () => forge({ ...header, alg: 'none' }, goodClaims()), /invalid: .*not EdDSA/],
    ['HS256', () => forge({ ...header, alg: 'HS256' }, goodClaims()), /invalid: .*not EdDSA/],
    ['a key embedded in the header', () => forge({ ...header, jwk: {} }, goodClaims()), /invalid: .*header/],
    ['crit', () => forge({ ...header, crit: ['b64'] }, goodClaims()), /invalid: .*header/],
    ['another typ', () => mint(TOKEN_TYPES.PREPARATION, toMint), /invalid: .*something else/],
    ['another issuer', () => forge(header, { ...goodClaims(), iss: 'x' }), /invalid: .*somebody else/],
    ['another audience', () => forge(header, { ...goodClaims(), aud: 'x' }), /invalid: .*another service/],
    ['a list of audiences', () => forge(header, { ...goodClaims(), aud: ['sandbox-manager'] }), /invalid: .*claim aud/],
    ['an empty jti', () => forge(header, { ...goodClaims(), jti: '' }), /invalid: .*claim jti/],
    ['no exp', () => forge(header, { ...goodClaims(), exp: undefined }), /invalid: .*claim exp/],
    ['a life of ten years', () => forge(header, { ...goodClaims(), exp: NOW / 1000 + 3e8 }), /invalid: .*60 seconds/],
    [
      'an iat in the future',
      () => forge(header, { ...goodClaims(), iat: NOW / 1000 + 30, exp: NOW / 1000 + 60 }),
      /invalid: .*future/,
    ],
    ['an extra claim', () => forge(header, { ...goodClaims(), admin: true }), /invalid: .*claim/],
    [
      'limits that are no numbers',
      () => forge(header, { ...goodClaims(), limits: { ...toMint.limits, pids: '9' } }),
      /invalid: .*limits\.pids/,
    ],
    ['a payload that is no JSON', () => forge(header, goodClaims()).replace(/\.[\w-]+\./, '.eyJ.'), /invalid/],
    ['something huge', () => 'a'.repeat(20_000), /invalid: .*too long/],
    ['nothing', () => '', /invalid: .*not a signed token/],
  ];
  it.each(cases)('%s', (_name, token, want) => {
    expect(refusal(token())).toMatch(want);
  });

  it('a token whose minute is over, with two seconds of grace for clocks', () => {
    const token = mint(TOKEN_TYPES.EXECUTION, toMint);
    expect(refusal(token, { now: NOW + 61_900 })).toBe('accepted');
    expect(refusal(token, { now: NOW + 62_000 })).toMatch(/^expired/);
  });

  it('a token from before the manager started, when its memory began empty', () => {
    const token = mint(TOKEN_TYPES.EXECUTION, toMint);
    expect(refusal(token, { notIssuedBefore: NOW })).toBe('accepted');
    expect(refusal(token, { notIssuedBefore: NOW + 1 })).toMatch(/invalid: .*before this sandbox manager started/);
  });

  it('anything with one character changed', () => {
    const token = mint(TOKEN_TYPES.EXECUTION, toMint);
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom('A', 'b', '0', '_', '-', '.', '=', ' '), (at, character) => {
        const changed = token.slice(0, at) + character + token.slice(at + 1);
        // The last character of a 64-byte signature carries two unused bits; it is not what is tested here.
        fc.pre(changed !== token && at !== token.length - 1);
        expect(refusal(changed)).not.toBe('accepted');
      }),
    );
  });
});

describe('use', () => {
  it('is single: the second is a replay, and each token is its own', async () => {
    const one = verifier();
    const claims = one.verify(mint(TOKEN_TYPES.EXECUTION, toMint), TOKEN_TYPES.EXECUTION);
    await one.consume(claims);
    await expect(one.consume(claims)).rejects.toMatchObject({ reason: 'replayed' });
    await one.consume(one.verify(mint(TOKEN_TYPES.EXECUTION, toMint), TOKEN_TYPES.EXECUTION));
  });

  it('is remembered for as long as the token could be used, and then forgotten', () => {
    let now = 0;
    const memory = createReplayMemory(() => now);
    expect(memory.record('a', 62_000)).toBe(true);
    now = 61_999;
    expect(memory.record('a', 62_000)).toBe(false);
    now = 70_000;
    expect(memory.record('a', 132_000)).toBe(true);
  });
});

describe('keys on disk', () => {
  let dataDir = '';
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'yuanbot-keys-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it('are made once, private to their owner, named by their thumbprint', async () => {
    await ensureKeys(dataDir);
    const file = join(dataDir, 'keys', 'signing.jwk.json');
    const first = await readFile(file, 'utf8');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await ensureKeys(dataDir);
    expect(await readFile(file, 'utf8')).toBe(first);
    const signing = await readSigningKey(dataDir);
    expect(signing.kid).toBe(await calculateJwkThumbprint(await exportJWK(createPublicKey(signing.privateKey))));
    expect(await readFile(join(dataDir, 'keys', 'public.jwks.json'), 'utf8')).not.toContain('"d"');
  });

  it('sign what they verify', async () => {
    await ensureKeys(dataDir);
    const token = createTokenMinter({
      key: await readSigningKey(dataDir),
      issuer: 'orchestrator',
      audience: 'sandbox-manager',
      now: () => NOW,
    })(TOKEN_TYPES.EXECUTION, toMint);
    expect(refusal(token, { keys: await readPublicKeys(dataDir) })).toBe('accepted');
  });

  it('that are missing or broken are said by name', async () => {
    await expect(readPublicKeys(join(dataDir, 'nowhere'))).rejects.toThrow(/public\.jwks\.json is missing/);
  });
});
