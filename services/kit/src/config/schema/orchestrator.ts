import { listenAddress } from '../values/listen-address.ts';
import { section } from '../values/section.ts';
import { idempotencySchema } from './idempotency.ts';
import { serverLimitKeys, toServerLimits } from './server-limits.ts';
import type { Surroundings } from './surroundings.ts';

export function orchestratorSchema({ dataDir }: Surroundings) {
  return section({
    listen: listenAddress({ socketDir: dataDir, default: '127.0.0.1:7420', meaning: 'Where the Capability API (gRPC) listens.' }),
    http: listenAddress({
      socketDir: dataDir,
      default: '127.0.0.1:7421',
      meaning: 'Where /healthz, /readyz and /metrics of the orchestrator listen.',
    }),
    ...serverLimitKeys(),
    idempotency: idempotencySchema(),
  })
    .transform((read) => ({
      listen: read.listen,
      http: read.http,
      ...toServerLimits(read),
      idempotency: read.idempotency,
    }))
    .prefault({})
    .describe('The service that knows the capabilities and decides about calls.');
}
