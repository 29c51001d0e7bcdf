import type { Server } from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';

/** gRPC health checking (grpc.health.v1) for a service and for the server as a whole (the empty name). */
export interface Health {
  setServing(serving: boolean): void;
}

export function addHealth(server: Server, serviceNames: readonly string[]): Health {
  const names = ['', ...serviceNames];
  const health = new HealthImplementation(Object.fromEntries(names.map((name) => [name, 'NOT_SERVING' as const])));
  health.addToServer(server);
  return {
    setServing(serving) {
      for (const name of names) health.setStatus(name, serving ? 'SERVING' : 'NOT_SERVING');
    },
  };
}
