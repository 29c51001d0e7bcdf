import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPlaces, type Place } from '../src/places.ts';

const never = new AbortController().signal;

describe('places', () => {
  it('never gives out more than there are, and serves in order of arrival', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(fc.boolean(), { maxLength: 40 }), async (capacity, arrivals) => {
        const places = createPlaces(capacity, 100);
        const held: Place[] = [];
        const served: number[] = [];
        let arrived = 0;
        for (const arrives of arrivals) {
          if (arrives) {
            const number = arrived++;
            void places.enter('new', never).then((place) => {
              served.push(number);
              held.push(place);
            });
          } else held.shift()?.leave();
          await new Promise(setImmediate);
          expect(places.busy).toBe(held.length);
          expect(places.busy).toBeLessThanOrEqual(capacity);
        }
        expect(served).toEqual(served.map((_, index) => index));
      }),
    );
  });

  it('refuses a new call when the queue is full, and never one that is under way', async () => {
    const places = createPlaces(1, 1);
    const first = await places.enter('new', never);
    const second = places.enter('new', never);
    await expect(places.enter('new', never)).rejects.toMatchObject({ code: 'ERR_POOL_EXHAUSTED' });
    const underWay = places.enter('under-way', never);
    first.leave();
    (await second).leave();
    (await underWay).leave();
    expect(places.busy).toBe(0);
  });

  it('lets go of who gives up waiting', async () => {
    const places = createPlaces(1, 1);
    const first = await places.enter('new', never);
    const giving = new AbortController();
    const waiting = places.enter('new', giving.signal);
    giving.abort(new Error('gave up'));
    await expect(waiting).rejects.toThrow('gave up');
    first.leave();
    expect(places.busy).toBe(0);
    await expect(places.enter('new', giving.signal)).rejects.toThrow('gave up');
  });

  it('a place that is left twice is left once', async () => {
    const places = createPlaces(2, 0);
    const [first, second] = [await places.enter('new', never), await places.enter('new', never)];
    first.leave();
    first.leave();
    expect(places.busy).toBe(1);
    second.leave();
  });
});
