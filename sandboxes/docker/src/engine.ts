import { Agent } from 'node:http';
import Dockerode from 'dockerode';

/** Our word for the client of one Docker engine. */
export type Engine = Dockerode;

/** A question that the engine answers from memory, in ms; one that is stuck must not hold up whoever asks. */
export const ANSWER_LIMIT_MS = 10_000;

/**
 * A client for the engine behind a unix socket. `host`, `protocol` and the certificates are set so that
 * dockerode does not take them from DOCKER_HOST and its kin: the operator's configuration names the engine.
 */
export function openEngine(socketPath: string): Engine {
  const options = {
    socketPath,
    host: '',
    protocol: 'http',
    // A fresh connection a request: one kept alive across an engine's restart fails the next call.
    agent: new Agent({ keepAlive: false }),
  } as const;
  return new Dockerode(options);
}
