import { ANSWER_LIMIT_MS, type Engine } from './engine.ts';
import { engineFailure, isConflict, isNotFound } from './engine-errors.ts';
import type { Log } from './log.ts';
import { within } from './or-abort.ts';

/** On every image we build: the digest of what it was built from. */
export const ARTIFACT_LABEL = 'yuanbot.artifact';
/** Repository of the images we build. */
export const TOOL_REPOSITORY = 'yuanbot-tool';

/** The images that were built from tools' own files, and which of them are still of use. */
export interface ToolImages {
  /** Notes that a tool was just given the image of this tag. */
  used(tag: string): void;
  /**
   * Removes all but the most recently used images, where they were not used for a day; resolves to how many. The
   * engine keeps an image that a container is made of. Rejects with ERR_SANDBOX_UNAVAILABLE when it cannot look.
   */
  removeUnused(): Promise<number>;
}

/** An image that was used since, or built since, is never removed: 1 day, in ms. One removed too soon is built again. */
const UNUSED_MS = 86_400_000;

/** Keeps the `kept` most recently used. What was used before this process began counts from when it was built. */
export function createToolImages(engine: Engine, kept: number, log: Log, now: () => number = Date.now): ToolImages {
  const lastUses = new Map<string, number>();

  async function listTagged() {
    try {
      return await within(ANSWER_LIMIT_MS, engine.listImages({ filters: { label: [ARTIFACT_LABEL] } }));
    } catch (error) {
      throw engineFailure(error, 'before-run', 'list its images');
    }
  }

  async function remove(tag: string): Promise<boolean> {
    try {
      await within(ANSWER_LIMIT_MS, engine.getImage(tag).remove());
      lastUses.delete(tag);
      return true;
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) log('warn', 'an image of a tool could not be removed', { tag, error });
      return false;
    }
  }

  return {
    used(tag) {
      lastUses.set(tag, now());
    },
    async removeUnused() {
      const images = (await listTagged()).flatMap(({ RepoTags, Created }) =>
        (RepoTags ?? [])
          .filter((tag) => tag.startsWith(`${TOOL_REPOSITORY}:`))
          .map((tag) => ({ tag, lastUse: Math.max(Created * 1_000, lastUses.get(tag) ?? 0) })),
      );
      const newestFirst = images.sort((one, other) => other.lastUse - one.lastUse);
      const unused = newestFirst.slice(kept).filter(({ lastUse }) => now() - lastUse >= UNUSED_MS);
      let removed = 0;
      for (const { tag } of unused) if (await remove(tag)) removed++;
      if (removed > 0) log('info', 'removed images that no tool used', { removed });
      return removed;
    },
  };
}
