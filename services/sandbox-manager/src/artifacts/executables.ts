import { type Executable, ToolCallError } from '@yuanbot/contract';
import type { ArtifactStore } from '../execution/artifacts.ts';
import type { ExecutableSource, WantArtifact } from '../execution/run-call.ts';

/** How long a call waits for bytes that the orchestrator has to send, in ms: a build context of 64 MiB over a slow link. */
const ARTIFACT_WAIT_MS = 30_000;

export interface ExecutablesOptions {
  readonly artifacts: ArtifactStore;
  /** Bytes of artifacts held in memory at most; those used longest ago go first. */
  readonly maxBytes: number;
}

/** Puts descriptor and bytes together once, and keeps the result: the hot path finds it by one map look-up. */
export function createExecutables({ artifacts, maxBytes }: ExecutablesOptions): ExecutableSource {
  /** In order of use, oldest first. */
  const ready = new Map<string, { executable: Executable; bytes: number }>();
  let bytes = 0;

  function keep(digest: string, executable: Executable): void {
    const size = sizeOf(executable);
    ready.set(digest, { executable, bytes: size });
    bytes += size;
    for (const [oldest, entry] of ready) {
      if (bytes <= maxBytes) return;
      ready.delete(oldest);
      bytes -= entry.bytes;
    }
  }

  async function bytesOf(digest: string, signal: AbortSignal, want: WantArtifact | undefined): Promise<Uint8Array> {
    const held = await artifacts.get(digest);
    if (held !== undefined) return held;
    if (want !== undefined) {
      const settled = new AbortController();
      const limit = AbortSignal.any([signal, settled.signal, AbortSignal.timeout(ARTIFACT_WAIT_MS)]);
      const coming = artifacts.wait(digest, limit).catch(() => undefined);
      const sent = await Promise.race([coming, want(digest).then(() => undefined)]);
      settled.abort();
      if (sent !== undefined) return sent;
    }
    if (signal.aborted) throw new ToolCallError('ERR_CANCELLED', 'The call was cancelled before the tool started.');
    throw new ToolCallError(
      'ERR_SANDBOX_START',
      "The tool's code could not be fetched; it may have been changed or removed meanwhile.",
    );
  }

  return {
    async get(descriptor, digest, signal, want) {
      const hit = ready.get(digest);
      if (hit !== undefined) {
        ready.delete(digest);
        ready.set(digest, hit);
        return hit.executable;
      }
      const artifact = descriptor.artifact === '' ? undefined : await bytesOf(descriptor.artifact, signal, want);
      const resources = new Map<string, Uint8Array>();
      for (const resource of descriptor.resources) resources.set(resource.path, await bytesOf(resource.digest, signal, want));
      const executable: Executable = { descriptor, digest, artifact, resources };
      if (!ready.has(digest)) keep(digest, executable);
      return executable;
    },
    async missing(descriptor) {
      const needed = [descriptor.artifact, ...descriptor.resources.map((resource) => resource.digest)].filter(
        (digest) => digest !== '',
      );
      const held = await Promise.all(needed.map((digest) => artifacts.has(digest)));
      return needed.filter((_digest, index) => held[index] !== true);
    },
  };
}

function sizeOf({ artifact, resources }: Executable): number {
  let size = 1024 + (artifact?.byteLength ?? 0);
  for (const data of resources.values()) size += data.byteLength;
  return size;
}
