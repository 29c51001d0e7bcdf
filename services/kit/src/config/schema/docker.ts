import { duration } from '../values/duration.ts';
import { filePath } from '../values/file-path.ts';
import { flag } from '../values/flag.ts';
import { section } from '../values/section.ts';
import { wholeNumber } from '../values/whole-number.ts';

export function dockerSchema() {
  return section({
    socket: filePath({ default: '/var/run/docker.sock', meaning: "The Docker engine's socket, an absolute path." }),
    max_containers: wholeNumber({ min: 1, max: 10_000, default: 16, meaning: 'Containers that may exist at one time.' }),
    queue_limit: wholeNumber({
      min: 0,
      max: 100_000,
      default: 256,
      meaning: 'Calls that may wait for a container; a further one ends with ERR_POOL_EXHAUSTED.',
    }),
    build: buildSchema(),
  })
    .transform((read) => ({
      socket: read.socket,
      maxContainers: read.max_containers,
      queueLimit: read.queue_limit,
      build: read.build,
    }))
    .prefault({})
    .describe('Tools of executor type docker.');
}

function buildSchema() {
  return section({
    network: flag({ default: false, meaning: 'Whether a build may reach the network.' }),
    memory_mb: wholeNumber({ min: 64, max: 1_048_576, default: 1024, meaning: 'MiB of memory for one build.' }),
    timeout: duration({ min: 1000, max: 86_400_000, default: '5m', meaning: 'The longest a build may take.' }),
  })
    .transform((read) => ({ network: read.network, memoryMb: read.memory_mb, timeoutMs: read.timeout }))
    .prefault({})
    .describe("Images built from a tool's own Dockerfile (`build: .`).");
}
