import { describe, expect, it } from 'vitest';
import { buildLimits } from '../src/build-limits.ts';

describe('buildLimits', () => {
  it('allows no swap, and gives the ulimits as the JSON that the engine reads', () => {
    const limits = buildLimits(512);
    expect(limits).toMatchObject({ memory: 536_870_912, memswap: 536_870_912 });
    const names = (JSON.parse(limits.ulimits) as { Name: string }[]).map(({ Name }) => Name);
    expect(names).toEqual(['fsize', 'nofile', 'nproc', 'core']);
  });

  it.each([0, -1, 0.5, Number.NaN])('refuses a memory of %s MiB, which would be none', (memoryMb) => {
    expect(() => buildLimits(memoryMb)).toThrow(expect.objectContaining({ code: 'ERR_SANDBOX_START' }));
  });
});
