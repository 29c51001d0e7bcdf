import { createHash } from 'node:crypto';
import type { Executable, ExecutorDescriptor, SandboxKind } from '@yuanbot/contract';

/** An executable of `kind`, with every field of the descriptor that is not given at its emptiest. */
export function executableOf(
  kind: SandboxKind,
  { artifact, ...fields }: Partial<Omit<ExecutorDescriptor, 'kind' | 'artifact'>> & { artifact?: Uint8Array },
): Executable {
  const descriptor: ExecutorDescriptor = {
    kind,
    image: '',
    artifact: artifact === undefined ? '' : sha256(artifact),
    command: [],
    env: [],
    protocol: 'oneshot',
    network: 'none',
    resources: [],
    ...fields,
  };
  return { descriptor, digest: sha256(JSON.stringify(descriptor)), artifact, resources: new Map() };
}

function sha256(data: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(data).digest('hex')}`;
}
