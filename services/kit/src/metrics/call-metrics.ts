import { Counter, Histogram } from 'prom-client';
import { knownLabel } from './known-label.ts';
import type { MetricsRegistry } from './registry.ts';

export interface CallMetricsOptions {
  readonly registry: MetricsRegistry;
  /** Whether a tool of this id is in the registry of capabilities; asked for every call. */
  readonly isKnownTool: (toolId: string) => boolean;
  readonly sandboxes: readonly string[];
  /** The closed list of outcomes, `ok` among them. */
  readonly codes: readonly string[];
}

/** One call that has ended. A phase it never reached is left out. */
export interface ObservedCall {
  readonly toolId: string;
  /** Where it ran or would have run. */
  readonly sandbox: string;
  /** `ok` or an error code. */
  readonly code: string;
  /** Waited for a free sandbox. */
  readonly queueMs?: number | undefined;
  /** From having a place to the tool's first instruction. */
  readonly startMs?: number | undefined;
  /** The tool itself. */
  readonly runMs?: number | undefined;
  /** From the call's arrival to its answer. */
  readonly totalMs: number;
}

export interface CallMetrics {
  observeCall(call: ObservedCall): void;
}

/** Seconds: from a warm thread (well under a millisecond) to a tool that may run for minutes. */
const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/**
 * `yuanbot_tool_calls_total{tool,sandbox,code}` and `yuanbot_tool_call_duration_seconds{phase,sandbox}`. A tool, sandbox
 * or code that is not known counts as `unknown`, so that no caller can make the number of series grow.
 */
export function createCallMetrics({ registry, isKnownTool, sandboxes, codes }: CallMetricsOptions): CallMetrics {
  const calls = new Counter({
    name: 'yuanbot_tool_calls_total',
    help: 'Tool calls that ended, by tool, sandbox and outcome (ok or an error code).',
    labelNames: ['tool', 'sandbox', 'code'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'yuanbot_tool_call_duration_seconds',
    help: 'Time a tool call took, by phase: queue (waiting for a sandbox), start, run (the tool itself) and total.',
    labelNames: ['phase', 'sandbox'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  const knownSandboxes = new Set(sandboxes);
  const knownCodes = new Set(codes);

  const observePhase = (phase: string, sandbox: string, ms: number | undefined): void => {
    if (ms !== undefined && Number.isFinite(ms)) durations.observe({ phase, sandbox }, Math.max(0, ms) / 1000);
  };

  return {
    observeCall({ toolId, sandbox: where, code, queueMs, startMs, runMs, totalMs }) {
      const sandbox = knownLabel(where, (value) => knownSandboxes.has(value));
      calls.inc({
        tool: knownLabel(toolId, isKnownTool),
        sandbox,
        code: knownLabel(code, (value) => knownCodes.has(value)),
      });
      observePhase('queue', sandbox, queueMs);
      observePhase('start', sandbox, startMs);
      observePhase('run', sandbox, runMs);
      observePhase('total', sandbox, totalMs);
    },
  };
}
