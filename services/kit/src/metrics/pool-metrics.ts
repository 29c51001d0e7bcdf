import { Gauge } from 'prom-client';
import type { MetricsRegistry } from './registry.ts';

export interface PoolSizes {
  readonly sandbox: string;
  /** Sandboxes that wait for a call. */
  readonly warm: number;
  /** Sandboxes that run one. */
  readonly busy: number;
  /** The most that may exist. */
  readonly capacity: number;
}

export interface PoolMetrics {
  /** A pool's sizes now; replaces what was reported of it before. */
  reportPool(sizes: PoolSizes): void;
}

/**
 * `yuanbot_sandbox_pool_size{sandbox,state}`. `beforeScrape` runs before every scrape: the place to look at the pools
 * and report them. When it rejects, the scrape fails, rather than show old figures.
 */
export function createPoolMetrics({
  registry,
  beforeScrape,
}: {
  readonly registry: MetricsRegistry;
  readonly beforeScrape?: (metrics: PoolMetrics) => void | Promise<void>;
}): PoolMetrics {
  const sizes = new Gauge({
    name: 'yuanbot_sandbox_pool_size',
    help: 'Sandboxes by state: warm (waiting for a call), busy (running one), capacity (the most that may exist).',
    labelNames: ['sandbox', 'state'],
    registers: [registry],
    collect: async () => {
      await beforeScrape?.(metrics);
    },
  });
  const metrics: PoolMetrics = {
    reportPool({ sandbox, warm, busy, capacity }) {
      sizes.set({ sandbox, state: 'warm' }, warm);
      sizes.set({ sandbox, state: 'busy' }, busy);
      sizes.set({ sandbox, state: 'capacity' }, capacity);
    },
  };
  return metrics;
}
