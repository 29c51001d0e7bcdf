import { startTestPool } from './fixtures/test-pool.ts';
const use = 'const all = []; for (let i = 0; i < 2.5e7; i++) all.push(i + 0.5); return all.length;';
for (let r = 0; r < 12; r++) {
  const p = startTestPool({ hosts: 1, workersPerHost: 2 });
  const a = await p.failure(use, { memoryMb: 32 }).catch((e) => e.message);
  const t = performance.now();
  const b = await p.run(use, { memoryMb: 512 }).catch((e) => e.code);
  console.log(r, a, b, (performance.now() - t) | 0, JSON.stringify(p.events.filter((e) => e.type.endsWith('ended'))).slice(0, 400));
  await p.pool.close();
}
