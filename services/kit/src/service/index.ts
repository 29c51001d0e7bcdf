export { nodeProcess } from './node-process.ts';
export {
  runService,
  type ServiceContext,
  type ServiceDefinition,
  type ServiceEndpoints,
  type ServiceProcess,
} from './run-service.ts';
