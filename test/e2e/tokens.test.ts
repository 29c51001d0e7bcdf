import { generateKeyPairSync, sign } from 'node:crypto';
import { canonicalJson, sha256Digest } from '@yuanbot/kit/canonical';
import {
  type ClaimsToMint,
  createTokenMinter,
  readSigningKey,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
  TOKEN_TYPES,
  type TokenMinter,
} from '@yuanbot/kit/token';
import { createClient, type RpcClient } from '@yuanbot/proto';
import { Disposition, ExecutorKind, SandboxManagerService, type ToolExecutionResponse } from '@yuanbot/proto/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { threadTool } from '../fixtures/plugin-folder.ts';
import { startTestPlatform, type TestPlatform } from './test-platform.ts';

// Straight to the sandbox-manager's door, with tokens minted here: what the orchestrator would never send.

const SCRIPT = Buffer.from('module.exports = async (params) => params;');
const PARAMS = '{"a":1}';
const descriptor = {
  kind: 'local_thread',
  image: '',
  artifact: sha256Digest(SCRIPT),
  command: [],
  env: [],
  protocol: 'oneshot',
  network: 'none',
  resources: [],
};
const executor = { kind: ExecutorKind.LOCAL_THREAD, artifactDigest: descriptor.artifact };

const claims: ClaimsToMint = {
  sub: 'user',
  sid: 'session',
  inv: 'inv-1',
  idem: false,
  tool: 'echo',
  ver: '1',
  digest: sha256Digest(canonicalJson(descriptor)),
  perm: 'readonly',
  params_sha256: sha256Digest(PARAMS),
  scope: { fs: 'none', net: [], db: [], secrets: [] },
  limits: { timeout_ms: 5000, memory_mb: 64, cpus: 1, pids: 32, output_bytes: 65_536 },
};

let yuanbot: TestPlatform;
let manager: RpcClient<typeof SandboxManagerService>;
let key: Awaited<ReturnType<typeof readSigningKey>>;
let mint: TokenMinter;

beforeAll(async () => {
  yuanbot = await startTestPlatform({ tools: [threadTool('any', 'return 1;')], docker: false });
  manager = createClient(SandboxManagerService, yuanbot.platform.sandboxManager.listen);
  key = await readSigningKey(yuanbot.platform.dataDir);
  mint = minter();
  await manager.putArtifact([{ digest: descriptor.artifact, data: SCRIPT }]);
});
afterAll(async () => {
  manager.close();
  await yuanbot[Symbol.asyncDispose]();
});

function minter(overrides: Partial<Parameters<typeof createTokenMinter>[0]> = {}): TokenMinter {
  return createTokenMinter({ key, issuer: TOKEN_ISSUER, audience: TOKEN_AUDIENCE, now: () => Date.now(), ...overrides });
}

async function run(authToken: string, more: Readonly<Record<string, unknown>> = {}): Promise<ToolExecutionResponse> {
  const call = { toolId: 'echo', invocationId: 'inv-1', paramsJson: PARAMS, executor, authToken, ...more };
  const { outcome } = await manager.execute({ call });
  if (outcome === undefined) throw new Error('no outcome');
  return outcome;
}

/** A token of ours, taken apart, changed, and signed again or not. */
function forge(change: (header: Record<string, unknown>, payload: Record<string, unknown>) => void, resign = true): string {
  const [header = '', payload = '', signature = ''] = mint(TOKEN_TYPES.EXECUTION, claims).split('.');
  const parts = [header, payload].map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>);
  change(parts[0] ?? {}, parts[1] ?? {});
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${resign ? sign(null, Buffer.from(text), key.privateKey).toString('base64url') : signature}`;
}

it('a good token runs its call, once', async () => {
  const token = mint(TOKEN_TYPES.EXECUTION, claims);
  expect(await run(token)).toMatchObject({ success: true, resultJson: PARAMS, disposition: Disposition.RAN });
  expect(await run(token)).toMatchObject({ success: false, errorCode: 'ERR_TOKEN_REPLAYED', disposition: Disposition.NOT_RUN });
});

it('of twenty uses at once, one runs', async () => {
  const token = mint(TOKEN_TYPES.EXECUTION, claims);
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => run(token)));
  expect(outcomes.filter(({ success }) => success)).toHaveLength(1);
});

describe('is refused, and nothing runs:', () => {
  const stranger = generateKeyPairSync('ed25519').privateKey;
  const cases: [string, string, () => string, Readonly<Record<string, unknown>>?][] = [
    ['an expired token', 'ERR_TOKEN_EXPIRED', () => minter({ now: () => Date.now() - 70_000 })(TOKEN_TYPES.EXECUTION, claims)],
    [
      'one from before the manager started',
      'ERR_TOKEN_INVALID',
      () => minter({ now: () => Date.now() - 55_000 })(TOKEN_TYPES.EXECUTION, claims),
    ],
    ['another tool', 'ERR_TOKEN_INVALID', () => mint(TOKEN_TYPES.EXECUTION, claims), { toolId: 'other' }],
    ['another invocation', 'ERR_TOKEN_INVALID', () => mint(TOKEN_TYPES.EXECUTION, claims), { invocationId: 'inv-2' }],
    ['other parameters', 'ERR_TOKEN_INVALID', () => mint(TOKEN_TYPES.EXECUTION, claims), { paramsJson: '{"a":2}' }],
    [
      'the same parameters in other bytes',
      'ERR_TOKEN_INVALID',
      () => mint(TOKEN_TYPES.EXECUTION, claims),
      { paramsJson: '{ "a":1}' },
    ],
    [
      'another executor',
      'ERR_TOKEN_INVALID',
      () => mint(TOKEN_TYPES.EXECUTION, claims),
      { executor: { ...executor, command: ['x'] } },
    ],
    [
      'code by no digest',
      'ERR_TOKEN_INVALID',
      () => mint(TOKEN_TYPES.EXECUTION, claims),
      { executor: { ...executor, artifactDigest: '../../etc/passwd' } },
    ],
    ['no executor', 'ERR_TOKEN_INVALID', () => mint(TOKEN_TYPES.EXECUTION, claims), { executor: undefined }],
    [
      "another key's signature",
      'ERR_TOKEN_INVALID',
      () => minter({ key: { kid: key.kid, privateKey: stranger } })(TOKEN_TYPES.EXECUTION, claims),
    ],
    [
      'an unknown key',
      'ERR_TOKEN_INVALID',
      () => minter({ key: { kid: 'x', privateKey: stranger } })(TOKEN_TYPES.EXECUTION, claims),
    ],
    ['alg none', 'ERR_TOKEN_INVALID', () => forge((header) => Object.assign(header, { alg: 'none' }))],
    [
      'a longer life',
      'ERR_TOKEN_INVALID',
      () => forge((_header, payload) => Object.assign(payload, { exp: Date.now() / 1000 + 600 })),
    ],
    [
      'more memory, unsigned',
      'ERR_TOKEN_INVALID',
      () => forge((_header, payload) => Object.assign(payload, { limits: { ...claims.limits, memory_mb: 9999 } }), false),
    ],
    ['a token for a preparation', 'ERR_TOKEN_INVALID', () => mint(TOKEN_TYPES.PREPARATION, claims)],
    ['no token', 'ERR_TOKEN_INVALID', () => ''],
    [
      'a secret outside the scope',
      'ERR_TOKEN_INVALID',
      () => mint(TOKEN_TYPES.EXECUTION, claims),
      { executor: { ...executor, env: ['KEY'] } },
    ],
  ];
  it.each(cases)('%s', async (_name, code, token, more = {}) => {
    const outcome = await run(token(), more);
    expect(outcome).toMatchObject({ success: false, errorCode: code, resultJson: '', disposition: Disposition.NOT_RUN });
    expect(outcome.stats).toBeUndefined();
    expect(outcome.error).not.toContain('eyJ');
  });

  it('an executor that asks for more than its token grants', async () => {
    const greedy = { ...descriptor, env: ['KEY'] };
    const token = mint(TOKEN_TYPES.EXECUTION, { ...claims, digest: sha256Digest(canonicalJson(greedy)) });
    expect(await run(token, { executor: { ...executor, env: ['KEY'] } })).toMatchObject({
      errorCode: 'ERR_SCOPE_DENIED',
      disposition: Disposition.NOT_RUN,
    });
  });

  it('code that nobody has', async () => {
    const gone = { ...descriptor, artifact: sha256Digest('gone') };
    const token = mint(TOKEN_TYPES.EXECUTION, { ...claims, digest: sha256Digest(canonicalJson(gone)) });
    expect(await run(token, { executor: { ...executor, artifactDigest: gone.artifact } })).toMatchObject({
      errorCode: 'ERR_SANDBOX_START',
      disposition: Disposition.NOT_RUN,
    });
  });
});

it('artifacts are what their digest says, or refused', async () => {
  await expect(manager.putArtifact([{ digest: sha256Digest('a'), data: Buffer.from('b') }])).rejects.toThrow(/not those of/);
  await expect(manager.putArtifact([{ digest: '../../etc/passwd', data: Buffer.from('b') }])).rejects.toThrow(
    /64 hexadecimal digits/,
  );
  expect(
    await manager.putArtifact([{ digest: sha256Digest('ab'), data: Buffer.from('a') }, { data: Buffer.from('b') }]),
  ).toMatchObject({ alreadyThere: false });
  expect(await manager.putArtifact([{ digest: sha256Digest('ab'), data: Buffer.from('ab') }])).toMatchObject({
    alreadyThere: true,
  });
});
