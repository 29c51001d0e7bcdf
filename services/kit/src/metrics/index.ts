export { type CallMetrics, type CallMetricsOptions, createCallMetrics, type ObservedCall } from './call-metrics.ts';
export { createIndexMetrics, type IndexMetrics } from './index-metrics.ts';
export { createPoolMetrics, type PoolMetrics, type PoolSizes } from './pool-metrics.ts';
export { createMetricsRegistry, type MetricsRegistry } from './registry.ts';
