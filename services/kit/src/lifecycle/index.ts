export { type CallEntry, createCallGate } from './call-gate.ts';
export { createDrainGate, type DrainGate, type Release } from './drain-gate.ts';
export {
  createLifecycle,
  type Lifecycle,
  type LifecycleState,
  type ShutdownDeadlines,
  type ShutdownReport,
} from './lifecycle.ts';
export { installSignalHandlers, type ProcessLike, type SignalHandlersOptions } from './signals.ts';
export { systemTimer, type Timer } from './timer.ts';
