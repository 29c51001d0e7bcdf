// npm run bench [-- --json FILE]: every figure of one run in one table, peers beside it, ratios from the same rounds.
import { rm, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { startPlatform } from '@yuanbot/cli/platform';
import { writeEchoPlugins } from './echo-plugins.ts';
import { type Call, median, serialP50, throughput } from './measure.ts';
import { startUnaryEcho } from './unary-echo.ts';
import { connectWholePath } from './whole-path.ts';

/** Rounds, interleaved, so that a slow minute of the machine falls on everything alike. */
const ROUNDS = 3;
/** Serial calls for one p50. */
const SERIAL_CALLS = 1_000;
/** For one throughput figure, in ms. */
const THROUGHPUT_MS = 2_500;
const USAGE = 'Usage: npm run bench [-- --json FILE]   measures, prints one table; --json writes every figure to FILE';

function readOptions(): { readonly json?: string } {
  try {
    const { values } = parseArgs({ options: { json: { type: 'string' }, help: { type: 'boolean', short: 'h' } } });
    if (!values.help) return values;
    console.log(USAGE);
    process.exit(0);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    process.exit(2);
  }
}

/** A JSON object of 256 bytes, canonical, so that what comes back is what went in. */
const PARAMS_JSON = JSON.stringify({ text: 'x'.repeat(256 - '{"text":""}'.length) });

const options = readOptions();

const plugins = await writeEchoPlugins();
const root = new URL('../..', import.meta.url).pathname;
const platform = await startPlatform({
  root,
  nodePath: process.execPath,
  env: process.env,
  ephemeral: true,
  overrides: {
    YUANBOT_PLUGINS__SYSTEM: plugins,
    YUANBOT_PLUGINS__USER: '/nonexistent/plugins',
    YUANBOT_LOG__LEVEL: 'warn',
    YUANBOT_ORCHESTRATOR__LISTEN: '127.0.0.1:0',
  },
  onProgress: (sentence) => console.error(sentence),
});
const echo = await startUnaryEcho(PARAMS_JSON);
const path = connectWholePath(platform.orchestrator.listen, PARAMS_JSON);

const subjects: readonly [name: string, call: Call][] = [
  ['unary_echo', echo.call],
  ['thread_unary', path.unary('echo_thread')],
  ['thread_stream', path.streamed('echo_thread')],
  ['wasm_unary', path.unary('echo_wasm')],
  ['wasm_stream', path.streamed('echo_wasm')],
];

const rounds = new Map<string, number[]>();
const note = (figure: string, value: number) => rounds.set(figure, [...(rounds.get(figure) ?? []), value]);

try {
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [name, call] of subjects) {
      console.error(`round ${round} of ${ROUNDS}: ${name}`);
      note(`${name}_p50_ms`, await serialP50(call, SERIAL_CALLS));
      note(`${name}_rps`, await throughput(call, THROUGHPUT_MS));
    }
  }
} finally {
  path.close();
  await echo.close();
  await platform.stop();
  await rm(plugins, { recursive: true });
}

const figures = new Map([...rounds].map(([figure, values]) => [figure, median(values)]));
const figure = (name: string) => figures.get(name) ?? Number.NaN;

console.log(`\n${'subject'.padEnd(16)}${'calls/s (64 in flight)'.padStart(24)}${'p50 ms (serial)'.padStart(18)}`);
for (const [name] of subjects) {
  console.log(
    `${name.padEnd(16)}${figure(`${name}_rps`).toFixed(0).padStart(24)}${figure(`${name}_p50_ms`).toFixed(3).padStart(18)}`,
  );
}

/** The ratios that matter, with what they must reach. */
const budgets: readonly [name: string, ratio: number, budget: string][] = [
  ['thread_stream_rps / unary_echo_rps', figure('thread_stream_rps') / figure('unary_echo_rps'), '≥ 0.4'],
  ['thread_stream_p50_ms / unary_echo_p50_ms', figure('thread_stream_p50_ms') / figure('unary_echo_p50_ms'), '≤ 2'],
  ['wasm_stream_p50_ms / thread_stream_p50_ms', figure('wasm_stream_p50_ms') / figure('thread_stream_p50_ms'), '≤ 1.3'],
];
console.log('');
for (const [name, ratio, budget] of budgets) console.log(`${name.padEnd(44)}${ratio.toFixed(2).padStart(8)}   budget ${budget}`);

if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(Object.fromEntries(figures), null, 2)}\n`);
