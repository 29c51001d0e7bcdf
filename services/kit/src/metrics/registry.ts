import { collectDefaultMetrics, Registry } from 'prom-client';

/** One service's metrics; handed to the `create…Metrics` of this folder and to the operations server. */
export type MetricsRegistry = Registry;

/** The version of Node is nobody's business who only scrapes. */
const VERSION_METRIC = 'nodejs_version_info';

/**
 * A registry of its own for one service, with the process's metrics (CPU, memory, event loop, garbage collection). The
 * label `instance` is left to Prometheus, which names the target it scraped.
 */
export function createMetricsRegistry({ service }: { readonly service: string }): MetricsRegistry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  registry.removeSingleMetric(VERSION_METRIC);
  return registry;
}
