import { listenAddress } from '../values/listen-address.ts';
import { section } from '../values/section.ts';
import { wholeNumber } from '../values/whole-number.ts';
import { idempotencySchema } from './idempotency.ts';
import { serverLimitKeys, toServerLimits } from './server-limits.ts';
import type { Surroundings } from './surroundings.ts';

export function sandboxManagerSchema({ dataDir }: Surroundings) {
  return section({
    listen: listenAddress({
      socketDir: dataDir,
      default: 'unix:sandbox-manager.sock',
      meaning: 'Where the sandbox-manager (gRPC) listens, and where the orchestrator finds it.',
    }),
    http: listenAddress({
      socketDir: dataDir,
      default: '127.0.0.1:7431',
      meaning: 'Where /healthz, /readyz and /metrics of the sandbox-manager listen.',
    }),
    ...serverLimitKeys(),
    artifact_cache_mb: wholeNumber({
      min: 16,
      max: 1_048_576,
      default: 512,
      meaning: 'MiB of wasm modules, scripts and build contexts kept by digest, least recently used out first.',
    }),
    idempotency: idempotencySchema(),
  })
    .transform((read) => ({
      listen: read.listen,
      http: read.http,
      ...toServerLimits(read),
      artifactCacheMb: read.artifact_cache_mb,
      idempotency: read.idempotency,
    }))
    .prefault({})
    .describe('The service that runs tool code.');
}
