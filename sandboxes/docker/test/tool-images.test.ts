import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEngine } from '../src/engine.ts';
import { createToolImages } from '../src/tool-images.ts';

const DAY_MS = 86_400_000;
const NOW = 100 * DAY_MS;

/** An engine of these images only: on the tests' real one are images of others. */
describe('tool images', () => {
  let folder: string;
  let server: Server;
  let removed: string[];
  let images: { RepoTags: string[] | null; Created: number }[];
  let statusOfRemoval: (tag: string) => number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'yuanbot-docker-'));
    removed = [];
    statusOfRemoval = () => 200;
    server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://engine');
      if (request.method === 'DELETE') {
        const tag = pathname.replace('/images/', '');
        response.statusCode = statusOfRemoval(tag);
        if (response.statusCode === 200 && searchParams.get('force') === null) removed.push(tag);
        response.end('[]');
      } else {
        const ours = searchParams.get('filters') === '{"label":["yuanbot.artifact"]}';
        response.end(JSON.stringify(ours ? images : []));
      }
    });
    server.listen(join(folder, 'engine.sock'));
    await once(server, 'listening');
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });

  function built(name: string, daysAgo: number) {
    return { RepoTags: [`yuanbot-tool:${name}`], Created: (NOW - daysAgo * DAY_MS) / 1_000 };
  }

  function open(kept: number) {
    return createToolImages(
      openEngine(join(folder, 'engine.sock')),
      kept,
      () => undefined,
      () => NOW,
    );
  }

  it('keeps the most recently used, and of the rest what was used or built within a day', async () => {
    images = [built('c', 3), built('a', 9), built('b', 5), built('new', 0.5), built('old', 8)];
    const toolImages = open(1);
    toolImages.used('yuanbot-tool:old');
    expect(await toolImages.removeUnused()).toBe(3);
    expect(removed).toEqual(['yuanbot-tool:c', 'yuanbot-tool:b', 'yuanbot-tool:a']);
  });

  it('removes nothing while there are few', async () => {
    images = [built('a', 9), built('b', 5)];
    expect(await open(2).removeUnused()).toBe(0);
  });

  it('takes its own tag away, and no other', async () => {
    images = [
      { RepoTags: ['mine:1', 'yuanbot-tool:a'], Created: 1 },
      { RepoTags: null, Created: 1 },
    ];
    expect(await open(0).removeUnused()).toBe(1);
    expect(removed).toEqual(['yuanbot-tool:a']);
  });

  it('goes on past an image that a container is made of', async () => {
    images = [built('used', 5), built('a', 9)];
    statusOfRemoval = (tag) => (tag === 'yuanbot-tool:used' ? 409 : 200);
    expect(await open(0).removeUnused()).toBe(1);
    expect(removed).toEqual(['yuanbot-tool:a']);
  });
});
