import { type Executable, ToolCallError } from '@yuanbot/contract';
import { createImageBuilder, type ImageBuilderOptions } from './build.ts';
import type { Engine } from './engine.ts';
import { findImage, refuseVolumes } from './image-lookup.ts';
import { checkedReference, missingImage } from './image-reference.ts';
import { resourceLayer } from './resource-layer.ts';
import type { ToolImages } from './tool-images.ts';

/** Turns what a tool names, or brings, into an image that is on this machine. */
export interface Images {
  /**
   * Resolves to the image's id. An `image:` is looked up and never pulled; a build context is built once
   * per content; the tool's own files (`fs: read`) are a further layer, at /resources. Rejects with ERR_SANDBOX_START and what to do, or ERR_SANDBOX_UNAVAILABLE.
   */
  resolve(executable: Executable, signal: AbortSignal): Promise<string>;
}

export function createImages(engine: Engine, toolImages: ToolImages, options: ImageBuilderOptions): Images {
  const builder = createImageBuilder(engine, toolImages, options);

  async function find(image: string): Promise<string> {
    const reference = checkedReference(image);
    const found = await findImage(engine, reference);
    if (found === undefined) throw missingImage('The image', reference);
    refuseVolumes(found, reference);
    return found.Id;
  }

  return {
    async resolve({ descriptor: { image, artifact: digest }, artifact, resources }, signal) {
      if ((image === '') === (digest === '')) {
        throw new ToolCallError('ERR_SANDBOX_START', 'A docker tool needs either "image" or "build", and not both.');
      }
      const imageId = image === '' ? await builder.build(digest, artifact, signal) : await find(image);
      if (resources.size === 0) return imageId;
      const layer = await resourceLayer(imageId, resources);
      return builder.build(layer.digest, layer.context, signal);
    },
  };
}
