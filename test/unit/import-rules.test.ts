// Each import rule fires on a file that breaks it, and on nothing else: a small tree of the platform's shape is
// written, and the same command that CI runs is run over it with the same configuration.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const SETUP_TIMEOUT_MS = 60_000; // the tool's start, on a loaded machine

/** rule → the file that breaks it → what that file imports. */
const VIOLATIONS: readonly (readonly [rule: string, file: string, specifier: string])[] = [
  ['contract-imports-nothing', 'sandboxes/contract/src/reads-files.ts', 'node:fs'],
  ['contract-imports-nothing', 'sandboxes/contract/src/validates.ts', 'zod'],
  ['contract-imports-nothing', 'sandboxes/contract/src/knows-kit.ts', '@yuanbot/kit/log'],
  ['host-knows-only-the-contract', 'sandboxes/host/src/knows-thread.ts', '@yuanbot/thread-sandbox'],
  ['drivers-do-not-meet', 'sandboxes/wasm/src/knows-docker.ts', '@yuanbot/docker-sandbox'],
  ['drivers-do-not-meet', 'sandboxes/thread/src/knows-proto.ts', '@yuanbot/proto'],
  ['docker-driver-has-its-library-only', 'sandboxes/docker/src/compartment.ts', 'ses'],
  ['thread-driver-has-its-library-only', 'sandboxes/thread/src/engine.ts', 'dockerode'],
  ['wasm-driver-has-its-library-only', 'sandboxes/wasm/src/engine.ts', 'dockerode'],
  ['proto-is-a-leaf', 'proto/src/knows-kit.ts', '@yuanbot/kit/log'],
  ['proto-is-a-leaf', 'proto/src/validates.ts', 'zod'],
  ['kit-is-a-leaf', 'services/kit/src/log/knows-contract.ts', '@yuanbot/contract'],
  ['kit-is-general', 'services/kit/src/log/speaks-grpc.ts', '@grpc/grpc-js'],
  ['services-meet-in-proto-only', 'services/orchestrator/src/knows-manager.ts', '@yuanbot/sandbox-manager'],
  ['services-meet-in-proto-only', 'services/sandbox-manager/src/knows-orchestrator.ts', '@yuanbot/orchestrator'],
  ['orchestrator-runs-no-tool-code', 'services/orchestrator/src/knows-thread.ts', '@yuanbot/thread-sandbox'],
  ['manager-composes-the-drivers', 'services/sandbox-manager/src/execution/knows-thread.ts', '@yuanbot/thread-sandbox'],
  ['cli-holds-no-sandbox', 'services/cli/src/knows-thread.ts', '@yuanbot/thread-sandbox'],
  ['nothing-imports-the-cli', 'sandboxes/docker/src/knows-cli.ts', '@yuanbot/cli'],
  ['domain-does-not-know-edges', 'services/orchestrator/src/matching/knows-server.ts', '../grpc/server.ts'],
  ['domain-touches-nothing', 'services/orchestrator/src/loading/starts-programs.ts', 'node:child_process'],
  ['domain-touches-nothing', 'services/sandbox-manager/src/pools/listens.ts', 'node:net'],
  ['edges-do-not-meet', 'services/orchestrator/src/http/knows-server.ts', '../grpc/server.ts'],
  ['grpc-stays-in-its-edge', 'services/orchestrator/src/execution/speaks-grpc.ts', '@grpc/grpc-js'],
  ['grpc-stays-in-its-edge', 'services/orchestrator/src/policy/speaks-proto.ts', '@yuanbot/proto'],
  ['grpc-stays-in-its-edge', 'services/orchestrator/src/http/speaks-proto.ts', '@bufbuild/protobuf'],
  ['http-stays-in-its-edge', 'services/sandbox-manager/src/execution/serves.ts', 'fastify'],
  ['mcp-stays-in-its-edge', 'services/orchestrator/src/http/speaks-mcp.ts', '@modelcontextprotocol/sdk'],
  ['queue-stays-in-its-edge', 'services/orchestrator/src/execution/queues.ts', 'bullmq'],
  ['sql-stays-in-its-edge', 'services/orchestrator/src/registry/queries.ts', 'kysely'],
  ['sql-stays-in-its-edge', 'services/orchestrator/src/grpc/queries.ts', 'node:sqlite'],
  ['files-stays-in-its-edge', 'services/orchestrator/src/grpc/reads-files.ts', 'node:fs/promises'],
  ['composition-root-is-last', 'services/orchestrator/src/matching/knows-root.ts', '../orchestrator.ts'],
  ['no-cycles', 'services/kit/src/log/one.ts', './two.ts'],
  ['packages-are-entered-by-name', 'services/cli/src/reaches-in.ts', '../../kit/src/log/index.ts'],
  ['main-is-imported-by-nobody', 'services/cli/src/starts-manager.ts', '@yuanbot/sandbox-manager/main'],
  ['only-entries-see-the-process', 'services/cli/src/reads-environment.ts', 'node:process'],
  ['sources-do-not-know-tests', 'sandboxes/wasm/src/knows-test.ts', '../test/fixture.ts'],
  ['libraries-are-declared', 'services/kit/src/log/undeclared.ts', 'picocolors'],
  ['imports-resolve', 'services/kit/src/log/dangling.ts', './nowhere.ts'],
];

/** Files that keep every rule. */
const LAWFUL: Readonly<Record<string, readonly string[]>> = {
  'sandboxes/contract/src/index.ts': [],
  'sandboxes/host/src/index.ts': ['@yuanbot/contract', 'node:child_process'],
  'sandboxes/docker/src/index.ts': ['@yuanbot/contract', 'dockerode', 'node:stream'],
  'sandboxes/thread/src/index.ts': ['@yuanbot/contract', '@yuanbot/host', 'ses'],
  'sandboxes/wasm/src/index.ts': ['@yuanbot/contract', '@yuanbot/host'],
  'sandboxes/wasm/test/fixture.ts': ['../src/index.ts'],
  'proto/src/index.ts': ['@grpc/grpc-js', '@bufbuild/protobuf'],
  'services/kit/src/log/index.ts': ['zod', 'node:fs'],
  'services/kit/src/log/two.ts': ['./one.ts'], // closes the circle, which is reported where it begins
  'services/orchestrator/src/registry/registry.ts': ['@yuanbot/contract', '@yuanbot/kit/log', 'zod', 'node:crypto'],
  'services/orchestrator/src/files/scan.ts': ['../registry/registry.ts', 'node:fs/promises'],
  'services/orchestrator/src/grpc/server.ts': ['../registry/registry.ts', '@yuanbot/proto', '@grpc/grpc-js'],
  'services/orchestrator/src/orchestrator.ts': ['./files/scan.ts', './grpc/server.ts', '@yuanbot/kit/log'],
  'services/orchestrator/src/main.ts': ['./orchestrator.ts', 'node:process'],
  'services/sandbox-manager/src/sandbox-manager.ts': [
    '@yuanbot/docker-sandbox',
    '@yuanbot/thread-sandbox',
    '@yuanbot/wasm-sandbox',
  ],
  'services/sandbox-manager/src/main.ts': ['./sandbox-manager.ts'],
  'services/cli/src/index.ts': ['@yuanbot/proto', '@yuanbot/contract', '@yuanbot/kit/log'],
};

const PACKAGES: Readonly<Record<string, { name: string; exports: Record<string, string> }>> = {
  proto: { name: '@yuanbot/proto', exports: { '.': './src/index.ts' } },
  'sandboxes/contract': { name: '@yuanbot/contract', exports: { '.': './src/index.ts' } },
  'sandboxes/host': { name: '@yuanbot/host', exports: { '.': './src/index.ts' } },
  'sandboxes/docker': { name: '@yuanbot/docker-sandbox', exports: { '.': './src/index.ts' } },
  'sandboxes/thread': { name: '@yuanbot/thread-sandbox', exports: { '.': './src/index.ts' } },
  'sandboxes/wasm': { name: '@yuanbot/wasm-sandbox', exports: { '.': './src/index.ts' } },
  'services/kit': { name: '@yuanbot/kit', exports: { './*': './src/*/index.ts' } },
  'services/orchestrator': { name: '@yuanbot/orchestrator', exports: { '.': './src/orchestrator.ts' } },
  'services/sandbox-manager': {
    name: '@yuanbot/sandbox-manager',
    exports: { '.': './src/sandbox-manager.ts', './main': './src/main.ts' },
  },
  'services/cli': { name: '@yuanbot/cli', exports: { '.': './src/index.ts' } },
};

const LIBRARIES = [
  'zod',
  'dockerode',
  'ses',
  'fastify',
  'bullmq',
  'kysely',
  '@grpc/grpc-js',
  '@bufbuild/protobuf',
  '@modelcontextprotocol/sdk',
];
const UNDECLARED = 'picocolors';

interface Report {
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly rule: { readonly name: string } }[];
    readonly ruleSetUsed: { readonly forbidden: readonly { readonly name: string }[] };
  };
}

describe('the import rules', () => {
  let tree = '';
  let report: Report;

  beforeAll(async () => {
    tree = await mkdtemp(join(tmpdir(), 'yuanbot-import-rules-'));
    await writeTree(tree);
    report = await cruise(tree);
  }, SETUP_TIMEOUT_MS);
  afterAll(() => rm(tree, { recursive: true, force: true }));

  const fired = (file: string) => report.summary.violations.filter(({ from }) => from === file).map(({ rule }) => rule.name);

  it.each(VIOLATIONS)('%s: %s imports %s', (rule, file) => {
    expect(fired(file)).toContain(rule);
  });

  it.each(Object.keys(LAWFUL))('%s keeps them all', (file) => {
    expect(fired(file)).toEqual([]);
  });

  it('are all broken above', () => {
    const rules = report.summary.ruleSetUsed.forbidden.map(({ name }) => name);
    expect(new Set(VIOLATIONS.map(([rule]) => rule))).toEqual(new Set(rules));
  });
});

async function cruise(folder: string): Promise<Report> {
  const program = join(root, 'node_modules/.bin/depcruise');
  const config = join(root, '.dependency-cruiser.mjs');
  const options = ['--config', config, '--output-type', 'json', 'proto', 'services', 'sandboxes'];
  const { stdout } = await run(program, options, { cwd: folder, maxBuffer: 64 * 2 ** 20 });
  return JSON.parse(stdout) as Report;
}

async function writeTree(folder: string): Promise<void> {
  const put = async (file: string, text: string) => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  };
  const dependencies = Object.fromEntries(LIBRARIES.map((name) => [name, '*']));
  await put('package.json', JSON.stringify({ name: 'root', dependencies }));
  await put('tsconfig.json', '{}');
  for (const name of [...LIBRARIES, UNDECLARED]) {
    await put(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    await put(`node_modules/${name}/index.js`, '');
  }
  await mkdir(join(folder, 'node_modules/@yuanbot'), { recursive: true });
  for (const [path, { name, exports }] of Object.entries(PACKAGES)) {
    await put(`${path}/package.json`, JSON.stringify({ name, type: 'module', exports, dependencies }));
    await symlink(join(folder, path), join(folder, 'node_modules', name));
  }
  for (const [file, specifiers] of Object.entries(LAWFUL)) await put(file, source(specifiers));
  for (const [, file, specifier] of VIOLATIONS) await put(file, source([specifier]));
}

/** Imports of a type only: the rules hold for those, too. */
function source(specifiers: readonly string[]): string {
  return specifiers
    .map((specifier, index) => `import type * as m${index} from '${specifier}';\nexport type T${index} = typeof m${index};\n`)
    .join('');
}
