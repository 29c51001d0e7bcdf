import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ToolCallError } from '@yuanbot/contract';
import { checkedBuildContext } from './build-context.ts';
import { buildLimits } from './build-limits.ts';
import { createBuildOutput } from './build-output.ts';
import type { BaseImage } from './dockerfile.ts';
import type { Engine } from './engine.ts';
import { engineFailure } from './engine-errors.ts';
import { findImage, refuseVolumes } from './image-lookup.ts';
import { checkedReference } from './image-reference.ts';
import { orAbort } from './or-abort.ts';
import { printableHead, printableTail } from './printable-text.ts';
import { ARTIFACT_LABEL, TOOL_REPOSITORY, type ToolImages } from './tool-images.ts';

/** Builds images from tools' own files. */
export interface ImageBuilder {
  /**
   * Resolves to the id of the image that the context named by `digest` builds. Builds it when it is not
   * there; who asks meanwhile waits for the same build. An abort ends the waiting, and the build only
   * when nobody else waits for it.
   */
  build(digest: string, context: Uint8Array | undefined, signal: AbortSignal): Promise<string>;
}

export interface ImageBuilderOptions {
  /** The largest build context that is accepted, in bytes. */
  readonly maxContextBytes: number;
  /** How long a build may take, in ms. */
  readonly buildLimitMs: number;
  /** Memory a RUN step may use, in MiB. */
  readonly memoryMb: number;
  /** Whether RUN steps may reach the network: the operator's word, never a tool's. The engine itself fetches nothing either way. */
  readonly network: boolean;
}

/** Digits of the digest in the tag: enough to never meet by chance. The label holds all of them. */
const TAG_DIGITS = 24;

interface Build {
  readonly imageId: Promise<string>;
  readonly stop: AbortController;
  waiting: number;
}

export function createImageBuilder(
  engine: Engine,
  toolImages: ToolImages,
  { maxContextBytes, buildLimitMs, memoryMb, network }: ImageBuilderOptions,
): ImageBuilder {
  const building = new Map<string, Build>();
  const limits = buildLimits(memoryMb);

  function begin(digest: string, context: Uint8Array | undefined): Build {
    const stop = new AbortController();
    const imageId = findOrBuild(digest, context, stop.signal).finally(() => building.delete(digest));
    const build = { imageId, stop, waiting: 0 };
    building.set(digest, build);
    return build;
  }

  async function findOrBuild(digest: string, context: Uint8Array | undefined, stopped: AbortSignal): Promise<string> {
    const tag = tagOf(digest);
    const built = (await findBuilt(tag, digest)) ?? (await buildNow(tag, digest, context, stopped));
    refuseVolumes(built, tag);
    toolImages.used(tag);
    return built.Id;
  }

  async function findBuilt(tag: string, digest: string) {
    const image = await findImage(engine, tag);
    // Whoever else tagged an image with this name: it is not what this digest builds.
    return image?.Config.Labels?.[ARTIFACT_LABEL] === digest ? image : undefined;
  }

  async function findBase(reference: string): Promise<BaseImage | undefined> {
    const image = await findImage(engine, checkedReference(reference));
    return image === undefined ? undefined : { id: image.Id, onBuild: image.Config.OnBuild ?? [] };
  }

  async function buildNow(tag: string, digest: string, context: Uint8Array | undefined, stopped: AbortSignal) {
    const files = await checkedBuildContext(digested(digest, context), findBase);
    const output = createBuildOutput();
    const tooLong = AbortSignal.timeout(buildLimitMs);
    const deadline = AbortSignal.any([stopped, tooLong]);
    try {
      const stream = await engine.buildImage(Readable.from([files]), {
        t: tag,
        labels: { [ARTIFACT_LABEL]: digest },
        networkmode: network ? 'default' : 'none',
        ...limits,
        rm: true,
        forcerm: true,
        abortSignal: deadline,
      });
      for await (const chunk of stream) output.push(chunk as Uint8Array);
      output.end();
    } catch (error) {
      if (stopped.aborted) throw stopped.reason;
      if (tooLong.aborted) throw buildFailure(output.step, `it took longer than ${buildLimitMs} ms`, output.stepOutput);
      throw engineFailure(error, 'before-run', 'build the image');
    }
    if (output.error !== undefined) throw buildFailure(output.step, output.error, output.stepOutput);
    const image = await findBuilt(tag, digest);
    if (image === undefined) throw buildFailure(output.step, 'the engine ended without an image', output.stepOutput);
    return image;
  }

  function digested(digest: string, context: Uint8Array | undefined): Uint8Array {
    if (context === undefined)
      throw new ToolCallError('ERR_INTERNAL', 'The platform did not bring the files to build the image from.');
    if (context.length > maxContextBytes) {
      throw new ToolCallError(
        'ERR_SANDBOX_START',
        `The tool's files to build from are ${context.length} bytes; at most ${maxContextBytes} are accepted.`,
      );
    }
    if (`sha256:${createHash('sha256').update(context).digest('hex')}` !== digest) {
      throw new ToolCallError('ERR_INTERNAL', "The files to build from are not those that the tool's digest names.");
    }
    return context;
  }

  return {
    async build(digest, context, signal) {
      signal.throwIfAborted();
      const build = building.get(digest) ?? begin(digest, context);
      build.waiting++;
      try {
        return await orAbort(build.imageId, signal);
      } finally {
        build.waiting--;
        if (build.waiting === 0) {
          building.delete(digest);
          build.stop.abort(new ToolCallError('ERR_CANCELLED', 'Nobody waits for this build any more.'));
        }
      }
    },
  };
}

function tagOf(digest: string): string {
  const hex = /^sha256:([0-9a-f]{64})$/.exec(digest)?.[1];
  if (hex === undefined) throw new ToolCallError('ERR_SANDBOX_START', 'The digest of the files to build from is not a sha256.');
  return `${TOOL_REPOSITORY}:${hex.slice(0, TAG_DIGITS)}`;
}

/** Quoted of a step and of what it printed, in characters. */
const MAX_STEP = 160;
const MAX_PRINTED = 500;

function buildFailure(step: string, error: string, printed: string): ToolCallError {
  const where = step === '' ? '' : ` at step \`${printableHead(step, MAX_STEP)}\``;
  const tail = printed.trim() === '' ? '' : ` Last lines: ${printableTail(printed, MAX_PRINTED)}`;
  return new ToolCallError(
    'ERR_SANDBOX_START',
    `The image cannot be built${where}: ${printableHead(error, MAX_PRINTED)}.${tail}`,
  );
}
