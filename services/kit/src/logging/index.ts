export { createLog, type LogOptions } from './create-log.ts';
export { type Log, type LogFields, type LogLevel, silentLog } from './log.ts';
