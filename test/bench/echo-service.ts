import type { ServiceDefinition } from '@grpc/grpc-js';

const identity = (bytes: Buffer): Buffer => bytes;

/** One unary method over raw bytes. */
export const echoService = {
  echo: {
    path: '/bench.Echo/Echo',
    requestStream: false,
    responseStream: false,
    requestSerialize: identity,
    requestDeserialize: identity,
    responseSerialize: identity,
    responseDeserialize: identity,
  },
} satisfies ServiceDefinition;
