// Who may import whom. Each rule is one sentence of ARCHITECTURE.md; test/unit/import-rules.test.ts shows that
// each of them fires. Paths are relative to the root; a library's path contains node_modules/<name>/.

/** A package of ours: proto, services/<name>, sandboxes/<name>. */
const OURS = '^(proto|services|sandboxes|configs|test)/';
const SERVICES = '^services/(?:orchestrator|sandbox-manager)/src/';

/**
 * The technologies that a service touches, each in its own edge folders. Every other folder of a service is
 * domain; files directly in src/ are the composition root, which may import everything of its service.
 */
const TECHNOLOGIES = {
  grpc: { edges: ['grpc'], libraries: ['@grpc/[^/]+', 'grpc-health-check', '@bufbuild/[^/]+'], ours: '^proto/' },
  http: { edges: ['http'], libraries: ['fastify', '@fastify/[^/]+'] },
  mcp: { edges: ['mcp'], libraries: ['@modelcontextprotocol/[^/]+'] },
  queue: { edges: ['queue'], libraries: ['bullmq', 'ioredis'] },
  sql: { edges: ['store'], libraries: ['kysely', 'pg', 'better-sqlite3'], core: 'sqlite' },
  files: { edges: ['files', 'artifacts', 'watch'], libraries: ['chokidar', 'tar-stream'], core: 'fs(/promises)?' },
};
const EDGES = Object.values(TECHNOLOGIES).flatMap(({ edges }) => edges);
const DOMAIN_FOLDER = `${SERVICES}(?!(?:${EDGES.join('|')})/)[^/]+/`;

/** Node's modules that compute and touch nothing outside the process. */
const PURE_CORE = ['assert', 'assert/strict', 'async_hooks', 'buffer', 'crypto', 'events', 'path', 'path/posix', 'perf_hooks'];
PURE_CORE.push('string_decoder', 'timers', 'timers/promises', 'url', 'util');

const NPM = '(?:^|/)node_modules/';
const library = (...names) => `${NPM}(?:${names.join('|')})/`;
const core = (...names) => `^(?:node:)?(?:${names.join('|')})$`;

/** A driver's own libraries; everything else of npm is foreign to it. */
const DRIVERS = { docker: ['dockerode', 'docker-modem', 'tar-stream'], thread: ['ses'], wasm: [] };

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const packages = [
  rule(
    'contract-imports-nothing',
    'The contract is types and pure functions: it imports nothing of ours, no library and none of Node.',
    { path: '^sandboxes/contract/src/' },
    { pathNot: '^sandboxes/contract/src/' },
  ),
  rule(
    'host-knows-only-the-contract',
    'The process that holds wasm and thread code knows the contract, not what runs in it nor who asks.',
    { path: '^sandboxes/host/src/' },
    { path: OURS, pathNot: '^sandboxes/(?:host|contract)/src/' },
  ),
  rule(
    'drivers-do-not-meet',
    'A driver knows the contract, the host and itself: no other driver, no service, no gRPC.',
    { path: '^sandboxes/(docker|wasm|thread)/src/' },
    { path: OURS, pathNot: '^sandboxes/(?:$1|contract|host)/src/' },
  ),
  ...Object.entries(DRIVERS).map(([driver, libraries]) =>
    rule(
      `${driver}-driver-has-its-library-only`,
      `Of npm, the ${driver} driver imports ${libraries.join(', ') || 'nothing'}.`,
      { path: `^sandboxes/${driver}/src/` },
      { path: NPM, ...(libraries.length > 0 ? { pathNot: library(...libraries) } : {}) },
    ),
  ),
  rule(
    'proto-is-a-leaf',
    'The protocol package imports protobuf and gRPC libraries, and nothing of ours.',
    { path: '^proto/src/' },
    { path: `${OURS}|${NPM}`, pathNot: `^proto/src/|${library(...TECHNOLOGIES.grpc.libraries)}` },
  ),
  rule(
    'kit-is-a-leaf',
    'The kit serves both services and imports nothing of ours.',
    { path: '^services/kit/src/' },
    { path: OURS, pathNot: '^services/kit/src/' },
  ),
  rule(
    'kit-is-general',
    'The kit knows no transport, engine, queue, database or sandbox.',
    { path: '^services/kit/src/' },
    {
      path: library(
        ...TECHNOLOGIES.grpc.libraries,
        ...TECHNOLOGIES.queue.libraries,
        ...TECHNOLOGIES.sql.libraries,
        'dockerode',
        'ses',
      ),
    },
  ),
  rule(
    'services-meet-in-proto-only',
    'Neither service imports the other; what they say to each other is in proto.',
    { path: '^services/(orchestrator|sandbox-manager)/src/' },
    { path: '^services/', pathNot: '^services/(?:$1|kit)/src/' },
  ),
  rule(
    'orchestrator-runs-no-tool-code',
    'Of the sandboxes, the orchestrator knows the contract only.',
    { path: '^services/orchestrator/src/' },
    { path: `^sandboxes/|${library('dockerode', 'ses')}`, pathNot: '^sandboxes/contract/src/' },
  ),
  rule(
    'manager-composes-the-drivers',
    'Inside the sandbox-manager only the composition root names a driver; the rest sees the contract.',
    { path: '^services/sandbox-manager/src/[^/]+/' },
    { path: `^sandboxes/|${library('dockerode', 'ses')}`, pathNot: '^sandboxes/contract/src/' },
  ),
  rule(
    'cli-holds-no-sandbox',
    'The command line reaches the platform through its services; of the sandboxes it knows the contract only.',
    { path: '^services/cli/src/' },
    { path: '^sandboxes/', pathNot: '^sandboxes/contract/src/' },
  ),
  rule(
    'nothing-imports-the-cli',
    'The command line is a client: no other package imports it.',
    { path: '^(?:proto|services/(?!cli/)|sandboxes)' },
    { path: '^services/cli/' },
  ),
];

const insideServices = [
  rule(
    'domain-does-not-know-edges',
    'A domain folder receives what an edge can do; it never imports one.',
    { path: DOMAIN_FOLDER },
    { path: `${SERVICES}(?:${EDGES.join('|')})/` },
  ),
  rule(
    'domain-touches-nothing',
    'A domain folder imports only those modules of Node that compute.',
    { path: DOMAIN_FOLDER },
    { dependencyTypes: ['core'], pathNot: core(...PURE_CORE) },
  ),
  rule(
    'edges-do-not-meet',
    'An edge knows the domain and its own technology, never another edge.',
    { path: `${SERVICES}(${EDGES.join('|')})/` },
    { path: `${SERVICES}(?:${EDGES.join('|')})/`, pathNot: `${SERVICES}$1/` },
  ),
  ...Object.entries(TECHNOLOGIES).map(([name, { edges, libraries, ours, core: module }]) =>
    rule(
      `${name}-stays-in-its-edge`,
      `In a service only ${edges.map((edge) => `${edge}/`).join(', ')} and the composition root import what speaks ${name}.`,
      { path: `${SERVICES}(?!(?:${edges.join('|')})/)[^/]+/` },
      { path: [library(...libraries), ...(ours ? [ours] : []), ...(module ? [core(module)] : [])] },
    ),
  ),
  rule(
    'composition-root-is-last',
    'Files directly in src/ of a service put it together; nothing inside imports them.',
    { path: `${SERVICES}[^/]+/` },
    { path: `${SERVICES}[^/]+\\.ts$` },
  ),
];

const everywhere = [
  rule('no-cycles', 'No file imports itself through others, not even for a type.', {}, { circular: true }),
  rule(
    'packages-are-entered-by-name',
    "Another package's files are reached through its name and exports, never by a relative path.",
    { path: '^(proto|services/[^/]+|sandboxes/[^/]+|test)/' },
    { path: '^(?:proto|services|sandboxes)/', pathNot: '^$1/', dependencyTypes: ['local'] },
  ),
  rule(
    'main-is-imported-by-nobody',
    'main.ts starts a process; importing it would start another.',
    {},
    { path: '/src/main\\.ts$' },
  ),
  rule(
    'only-entries-see-the-process',
    'Arguments, environment and signals are read in entry files and handed on (biome denies the global likewise).',
    { path: '/src/', pathNot: '/main\\.ts$|^sandboxes/host/src/process/' },
    { path: core('process') },
  ),
  rule(
    'sources-do-not-know-tests',
    'What ships imports no test and no test library.',
    { path: '/src/' },
    { path: `(?:^|/)test/|${library('vitest', 'fast-check')}`, pathNot: '/node_modules/(?!vitest/|fast-check/).*/test/' },
  ),
  rule(
    'libraries-are-declared',
    'A package imports only libraries of its own package.json.',
    { path: '/src/' },
    { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  ),
  rule('imports-resolve', 'Every import leads to a file.', {}, { couldNotResolve: true }),
];

export default {
  forbidden: [...packages, ...insideServices, ...everywhere],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^test/fixtures/' }, // tools' files, some of them broken on purpose
    tsPreCompilationDeps: true, // an import of a type is an import
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['node', 'import', 'types', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.json', '.d.ts'],
    },
  },
};
