import { ToolCallError } from '@yuanbot/contract';
import type { ImageInspectInfo } from 'dockerode';
import { ANSWER_LIMIT_MS, type Engine } from './engine.ts';
import { engineFailure, isNotFound } from './engine-errors.ts';
import { within } from './or-abort.ts';

/** Looks an image up by name or id; undefined when the engine has none. */
export async function findImage(engine: Engine, reference: string): Promise<ImageInspectInfo | undefined> {
  try {
    return await within(ANSWER_LIMIT_MS, engine.getImage(reference).inspect());
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw engineFailure(error, 'before-run', `look up the image ${reference}`);
  }
}

/**
 * A VOLUME of an image becomes a writable folder on the host's disk, without a size limit, in a
 * container whose root is read-only.
 */
export function refuseVolumes(image: ImageInspectInfo, reference: string): void {
  const volumes = Object.keys(image.Config.Volumes ?? {});
  if (volumes.length === 0) return;
  throw new ToolCallError(
    'ERR_SANDBOX_START',
    `The image ${reference} declares a VOLUME, which would be writable without limit. Build it without; scratch files belong in /tmp.`,
  );
}
