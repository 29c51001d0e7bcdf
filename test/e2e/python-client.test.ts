// A client that another language's tools generate from proto/schema works over a real socket. It runs on Debian's
// own Python, which is where its gRPC library is.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT, startTestPlatform } from './test-platform.ts';

const run = promisify(execFile);
const PYTHON = '/usr/bin/python3';
const GRPC_PLUGIN = '/usr/bin/grpc_python_plugin';
const CLIENT_DEADLINE_MS = 60_000; // three calls; the rest is the interpreter's start on a loaded machine

interface Outcome {
  readonly success: boolean;
  readonly result: unknown;
  readonly error_code: string;
  readonly error: string;
  readonly sandbox: string;
}

interface Report {
  readonly loaded: {
    readonly skills: readonly string[];
    readonly tools: readonly {
      readonly type: string;
      readonly function: { readonly name: string; readonly parameters: unknown };
    }[];
    readonly tokens: { readonly tools: number; readonly all_tools: number };
  };
  readonly now: Outcome;
  readonly wrong: Outcome;
}

describe('a Python client generated from proto/schema', () => {
  let generated = '';
  let report: Report;
  let datesAround: readonly string[] = [];

  beforeAll(async () => {
    generated = await mkdtemp(join(tmpdir(), 'yuanbot-python-'));
    await generateClient(generated);
    await using running = await startTestPlatform({ docker: false });
    const before = dateInShanghai();
    report = await callFromPython(generated, running.platform.orchestrator.listen);
    datesAround = [before, dateInShanghai()];
  });
  afterAll(() => rm(generated, { recursive: true, force: true }));

  it('loads what an intent needs', () => {
    const [first] = report.loaded.tools;
    expect(first).toMatchObject({ type: 'function', function: { name: 'get_current_datetime', parameters: { type: 'object' } } });
    expect(report.loaded.tokens.tools).toBeGreaterThan(0);
    expect(report.loaded.tokens.tools).toBeLessThanOrEqual(report.loaded.tokens.all_tools);
  });

  it('runs a tool in its sandbox', () => {
    expect(report.now).toMatchObject({ success: true, error_code: '', sandbox: 'SANDBOX_KIND_LOCAL_THREAD' });
    expect(datesAround.some((date) => JSON.stringify(report.now.result).includes(date))).toBe(true);
  });

  it('gets wrong parameters as an answer to read, not as an exception', () => {
    expect(report.wrong).toMatchObject({ success: false, result: null, error_code: 'ERR_PARAMS_INVALID' });
    expect(report.wrong.error).toContain('/format');
  });
});

async function generateClient(folder: string): Promise<void> {
  const plugin = [`--plugin=protoc-gen-grpc_python=${GRPC_PLUGIN}`, `--grpc_python_out=${folder}`];
  const schema = ['-I', join(ROOT, 'proto/schema'), 'yuanbot/capability/v1/capability.proto'];
  await run('/usr/bin/protoc', [`--python_out=${folder}`, ...plugin, ...schema]);
}

async function callFromPython(generatedCode: string, address: string): Promise<Report> {
  const script = join(ROOT, 'test/e2e/python/capability_client.py');
  // An environment of its own: no PYTHONHOME or pyenv of the developer's takes part.
  const env = { PATH: '/usr/bin:/bin', PYTHONPATH: generatedCode, PYTHONDONTWRITEBYTECODE: '1' };
  const { stdout } = await run(PYTHON, [script, address], { env, timeout: CLIENT_DEADLINE_MS });
  return JSON.parse(stdout) as Report;
}

/** Today's date there, as the tool writes it: 2026-11-30. */
function dateInShanghai(): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(new Date());
}
