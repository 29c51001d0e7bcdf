export { create, type MessageInitShape } from '@bufbuild/protobuf';
export * from './address.ts';
export * from './call-stream.ts';
export * from './client.ts';
export * from './health.ts';
export * from './reflection.ts';
export * from './rpc-error.ts';
export * from './server.ts';
export * from './service-definition.ts';
