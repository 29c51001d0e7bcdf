import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCallMetrics, createIndexMetrics, createMetricsRegistry, createPoolMetrics } from '../../src/metrics/index.ts';

const CODES = ['ok', 'ERR_SANDBOX_TIMEOUT'];
const SANDBOXES = ['docker', 'wasm', 'local_thread'];

function orchestrator() {
  const registry = createMetricsRegistry({ service: 'orchestrator' });
  const calls = createCallMetrics({ registry, isKnownTool: (id) => id === 'calculate', sandboxes: SANDBOXES, codes: CODES });
  /** The samples of one metric, without the default label. */
  const samples = async (name: string): Promise<string[]> =>
    (await registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith(name))
      .map((line) => line.replace(/(?<=\{)service="orchestrator",|,?service="orchestrator"/, ''));
  return { registry, calls, samples };
}

describe('calls', () => {
  it('are counted by tool, sandbox and code, and timed by phase in seconds', async () => {
    const { calls, samples } = orchestrator();
    calls.observeCall({
      toolId: 'calculate',
      sandbox: 'local_thread',
      code: 'ok',
      queueMs: 0,
      startMs: 0.1,
      runMs: 2,
      totalMs: 3,
    });
    calls.observeCall({ toolId: 'calculate', sandbox: 'local_thread', code: 'ERR_SANDBOX_TIMEOUT', totalMs: 10_000 });
    expect(await samples('yuanbot_tool_calls_total')).toEqual([
      'yuanbot_tool_calls_total{tool="calculate",sandbox="local_thread",code="ok"} 1',
      'yuanbot_tool_calls_total{tool="calculate",sandbox="local_thread",code="ERR_SANDBOX_TIMEOUT"} 1',
    ]);
    expect((await samples('yuanbot_tool_call_duration_seconds')).filter((line) => /_(?:sum|count)/.test(line))).toEqual([
      'yuanbot_tool_call_duration_seconds_sum{phase="queue",sandbox="local_thread"} 0',
      'yuanbot_tool_call_duration_seconds_count{phase="queue",sandbox="local_thread"} 1',
      'yuanbot_tool_call_duration_seconds_sum{phase="start",sandbox="local_thread"} 0.0001',
      'yuanbot_tool_call_duration_seconds_count{phase="start",sandbox="local_thread"} 1',
      'yuanbot_tool_call_duration_seconds_sum{phase="run",sandbox="local_thread"} 0.002',
      'yuanbot_tool_call_duration_seconds_count{phase="run",sandbox="local_thread"} 1',
      'yuanbot_tool_call_duration_seconds_sum{phase="total",sandbox="local_thread"} 10.003',
      'yuanbot_tool_call_duration_seconds_count{phase="total",sandbox="local_thread"} 2',
    ]);
  });

  it('make a bounded number of series and never throw, whatever the callers send', async () => {
    const { calls, samples } = orchestrator();
    const name = fc.oneof(fc.string(), fc.constantFrom('calculate', '__proto__', 'constructor', ...SANDBOXES, ...CODES));
    const call = fc.record({ toolId: name, sandbox: name, code: name, runMs: fc.double(), totalMs: fc.double() });
    fc.assert(
      fc.property(call, (given) => calls.observeCall(given)),
      { numRuns: 500 },
    );
    expect((await samples('yuanbot_tool_calls_total')).length).toBeLessThanOrEqual(
      2 * (SANDBOXES.length + 1) * (CODES.length + 1),
    );
  });

  it('cost less than 10 µs each', () => {
    const { calls } = orchestrator();
    const call = { toolId: 'calculate', sandbox: 'wasm', code: 'ok', queueMs: 0.1, startMs: 0.2, runMs: 12, totalMs: 13 };
    const microsecondsEach = (times: number): number => {
      const before = process.threadCpuUsage();
      for (let count = 0; count < times; count++) calls.observeCall(call);
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / times;
    };
    // Processor time of this thread, and the best of many short rounds: other processes share the machine.
    expect(Math.min(...Array.from({ length: 60 }, () => microsecondsEach(500)))).toBeLessThan(10);
  });
});

describe('pools and index', () => {
  it('are shown as they are at the scrape', async () => {
    const { registry, samples } = orchestrator();
    let busy = 0;
    createPoolMetrics({
      registry,
      beforeScrape: async (pools) => pools.reportPool({ sandbox: 'docker', warm: 2, busy: ++busy, capacity: 16 }),
    });
    createIndexMetrics({ registry }).reportIndexSize('tool', 110);
    await samples('');
    expect([...(await samples('yuanbot_sandbox')), ...(await samples('yuanbot_index'))]).toEqual([
      'yuanbot_sandbox_pool_size{sandbox="docker",state="warm"} 2',
      'yuanbot_sandbox_pool_size{sandbox="docker",state="busy"} 2',
      'yuanbot_sandbox_pool_size{sandbox="docker",state="capacity"} 16',
      'yuanbot_index_capabilities{kind="tool"} 110',
    ]);
  });
});

describe('a registry', () => {
  it("is its service's own, and shows the process but not its version", async () => {
    const one = orchestrator();
    const two = orchestrator();
    one.calls.observeCall({ toolId: 'calculate', sandbox: 'wasm', code: 'ok', totalMs: 1 });
    expect(await two.samples('yuanbot_tool_calls_total')).toEqual([]);
    const text = await one.registry.metrics();
    expect(text).toContain('process_cpu_seconds_total{service="orchestrator"}');
    expect(text).not.toContain(process.version);
  });
});
