import type { ExecutorDescriptor, SandboxKind } from '@yuanbot/contract';
import { canonicalJson, sha256Digest } from '@yuanbot/kit/canonical';
import type { ExecutorFields } from './executor-fields.ts';
import type { ArtifactPlace, PluginPlace } from './loaded-plugin.ts';
import type { Resource, ToolExecutor } from './model.ts';
import { PluginFileError } from './plugin-files.ts';

/** A script or module, in bytes. */
export const MAX_ENTRY_BYTES = 32 * 1024 * 1024;

export interface BuiltExecutors {
  readonly executor: ToolExecutor;
  readonly fallback: ToolExecutor | undefined;
  readonly artifacts: readonly ArtifactPlace[];
}

/** What of an executor is not in its own fields. */
interface Surroundings {
  readonly place: PluginPlace;
  readonly type: SandboxKind;
  /** Those that the tool may read; empty without `fs: read`. */
  readonly readable: readonly Resource[];
}

/**
 * What is executed for a tool, with digests over the very bytes. The fields must have passed `brokenRules`. Rejects with
 * a `PluginFileError` when a file that they name is missing or unfit.
 */
export async function buildExecutors(fields: ExecutorFields, { place, type, readable }: Surroundings): Promise<BuiltExecutors> {
  const common = {
    env: [...new Set(fields.env)].sort(),
    protocol: fields.protocol,
    resources: readable.map(({ path, digest }) => ({ path, digest })),
  };
  const entry = fields.entry === undefined ? undefined : await readEntry(place, fields.entry);
  const context = fields.build === undefined ? undefined : await packContext(place, fields.build);
  const code = type === 'docker' ? context : entry;
  const executor = withDigest({
    kind: type,
    image: fields.image ?? '',
    artifact: code?.digest ?? '',
    command: fields.command,
    network: fields.network,
    ...common,
  });
  const fallback =
    fields.fallback === undefined
      ? undefined
      : withDigest({ kind: fields.fallback, image: '', artifact: entry?.digest ?? '', command: [], network: 'none', ...common });
  return { executor, fallback, artifacts: [entry, context].filter((artifact) => artifact !== undefined) };
}

function withDigest(descriptor: ExecutorDescriptor): ToolExecutor {
  return { descriptor, digest: sha256Digest(canonicalJson(descriptor)) };
}

async function readEntry({ files, folder }: PluginPlace, entry: string): Promise<ArtifactPlace> {
  const path = `${folder}/${entry}`;
  const bytes = await files.readBytes(path, MAX_ENTRY_BYTES);
  if (bytes === undefined)
    throw new PluginFileError(`\`${path}\` is not there.`, 'Add the file, or name the right one as `entry`.');
  if (bytes.length === 0) throw new PluginFileError(`\`${path}\` is empty.`, 'Put the tool’s code into it.');
  return { digest: sha256Digest(bytes), path, kind: 'file' };
}

async function packContext({ files, folder }: PluginPlace, build: string): Promise<ArtifactPlace> {
  const path = build === '.' ? folder : `${folder}/${build}`;
  const dockerfile = await files.readBytes(`${path}/Dockerfile`, MAX_DOCKERFILE_BYTES);
  const context = dockerfile === undefined ? undefined : await files.packFolder(path);
  if (context === undefined)
    throw new PluginFileError(`There is no \`${path}/Dockerfile\`.`, 'Add a Dockerfile, or use `image:`.');
  return { digest: sha256Digest(context), path, kind: 'folder' };
}

const MAX_DOCKERFILE_BYTES = 256 * 1024;
