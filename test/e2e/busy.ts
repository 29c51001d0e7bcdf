import { expect } from 'vitest';
import type { TestPlatform } from './test-platform.ts';

/** Resolves when the manager says, in its metrics, that it runs `count` calls in threads. */
export async function busyThreads({ platform }: TestPlatform, count: number): Promise<void> {
  const read = async () => {
    const metrics = await (await fetch(`http://${platform.sandboxManager.http}/metrics`)).text();
    return Number(/yuanbot_sandbox_pool_size\{[^}]*sandbox="local_thread"[^}]*state="busy"[^}]*\} (\d+)/.exec(metrics)?.[1]);
  };
  await expect.poll(read, { timeout: 20_000, interval: 20 }).toBe(count);
}
