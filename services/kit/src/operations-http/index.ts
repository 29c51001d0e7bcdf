export { createOperationsServer, type OperationsServer, type OperationsServerOptions } from './operations-server.ts';
export {
  createReadiness,
  type Readiness,
  type ReadinessCheck,
  type ReadinessOptions,
  type ReadinessReport,
} from './readiness.ts';
export { removeStaleSocket } from './stale-socket.ts';
