import { Gauge } from 'prom-client';
import type { MetricsRegistry } from './registry.ts';

export interface IndexMetrics {
  /** How many capabilities of a kind (`skill`, `tool`) the index holds now. */
  reportIndexSize(kind: string, capabilities: number): void;
}

/** `yuanbot_index_capabilities{kind}` */
export function createIndexMetrics({ registry }: { readonly registry: MetricsRegistry }): IndexMetrics {
  const size = new Gauge({
    name: 'yuanbot_index_capabilities',
    help: 'Capabilities in the index, by kind.',
    labelNames: ['kind'],
    registers: [registry],
  });
  return {
    reportIndexSize: (kind, capabilities) => size.set({ kind }, capabilities),
  };
}
