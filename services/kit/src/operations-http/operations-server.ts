import { type FastifyInstance, fastify } from 'fastify';
import type { Address } from '../config/index.ts';
import type { LifecycleState, Timer } from '../lifecycle/index.ts';
import type { Log } from '../logging/index.ts';
import { createReadiness, type ReadinessCheck } from './readiness.ts';
import { removeStaleSocket } from './stale-socket.ts';

export interface OperationsServerOptions {
  readonly state: () => LifecycleState;
  /** What must hold, beside the state, before work is sent here; by the name that /readyz gives it. */
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  readonly metrics: { readonly contentType: string; metrics(): Promise<string> };
  readonly timer: Timer;
  readonly log: Log;
}

export interface OperationsServer {
  /** Resolves to the address listened on: with the port that the system chose where 0 was asked for. */
  listen(address: Address): Promise<Address>;
  /** Answers what is under way, then ends; a connection that still holds on after a second is cut. Idempotent. */
  close(): Promise<void>;
}

const ROUTES = '/healthz, /readyz and /metrics';
/** A scrape or probe is a few hundred bytes: whoever needs longer to send it is not one. */
const REQUEST_TIMEOUT_MS = 10_000;
/** How long `close` waits for connections that are not idle. */
const CLOSE_GRACE_MS = 1000;

/**
 * The HTTP server for operators and orchestration: `/healthz` (the process is alive), `/readyz` (200 when work may be
 * sent here, else 503 with what is missing) and `/metrics` (Prometheus). Every other answer is JSON: `{error, message}`.
 */
export function createOperationsServer({ state, checks, metrics, timer, log }: OperationsServerOptions): OperationsServer {
  const app = fastify({
    logger: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // No request here has a body.
    bodyLimit: 1,
  });
  const readiness = createReadiness({ state, checks, timer });

  app.get('/healthz', () => ({ alive: true, state: state() }));
  app.get('/readyz', async (_request, reply) => {
    const report = await readiness();
    return reply.code(report.ready ? 200 : 503).send(report);
  });
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.metrics()));
  answerErrorsAsJson(app, log);

  return {
    listen: (address) => listen(app, address),
    async close() {
      const stop = timer.after(CLOSE_GRACE_MS, () => app.server.closeAllConnections());
      await app.close();
      stop();
    },
  };
}

function answerErrorsAsJson(app: FastifyInstance, log: Log): void {
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ error: 'not_found', message: `There is nothing here; this server answers ${ROUTES}.` }),
  );
  app.setErrorHandler((error, request, reply) => {
    const status = statusOf(error);
    if (status < 500) return reply.code(status).send({ error: 'bad_request', message: 'The request could not be read.' });
    log.error({ err: error, path: request.url }, 'The operations server could not answer.');
    return reply.code(500).send({ error: 'internal', message: 'The service failed to answer; its log has the cause.' });
  });
}

/** 4xx only where fastify says that the request was at fault. */
function statusOf(error: unknown): number {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}

async function listen(app: FastifyInstance, address: Address): Promise<Address> {
  if (address.kind === 'unix') {
    await removeStaleSocket(address.path);
    await app.listen({ path: address.path });
    return address;
  }
  await app.listen({ host: address.host, port: address.port });
  const bound = app.server.address();
  return typeof bound === 'object' && bound !== null ? { ...address, port: bound.port } : address;
}
