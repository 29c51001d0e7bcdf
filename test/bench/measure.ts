/** One call of what is measured; rejects when it did not do its work. */
export type Call = () => Promise<unknown>;

/** Calls in flight for a throughput figure (DESIGN: 64). */
export const IN_FLIGHT = 64;

/** Median latency in ms of `count` calls, one at a time, after a tenth as many to warm up. */
export async function serialP50(call: Call, count: number): Promise<number> {
  for (let at = 0; at < count / 10; at++) await call();
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const startedAt = performance.now();
    await call();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

/** Calls per second with `IN_FLIGHT` calls always in flight, over `ms` after a fifth of it to warm up. */
export async function throughput(call: Call, ms: number): Promise<number> {
  await keepInFlight(call, ms / 5);
  const startedAt = performance.now();
  const done = await keepInFlight(call, ms);
  return done / ((performance.now() - startedAt) / 1000);
}

async function keepInFlight(call: Call, ms: number): Promise<number> {
  const until = performance.now() + ms;
  let done = 0;
  const lane = async () => {
    while (performance.now() < until) {
      await call();
      done++;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  return done;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new RangeError('the median of nothing');
  return middle;
}
