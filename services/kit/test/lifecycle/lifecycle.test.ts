import { describe, expect, it } from 'vitest';
import { createLifecycle, systemTimer } from '../../src/lifecycle/index.ts';
import { createManualTimer, settle } from './manual-timer.ts';

const DEADLINES = { drainMs: 1000, closeMs: 500 };
const forever = (): Promise<void> => new Promise(() => undefined);

function runningService() {
  const timer = createManualTimer();
  const lifecycle = createLifecycle({ timer });
  const closed: string[] = [];
  const open = (name: string, close: () => void | Promise<void> = () => undefined): Promise<void> =>
    lifecycle.onClose(name, () => {
      closed.push(name);
      return close();
    });
  lifecycle.started();
  return { timer, lifecycle, closed, open };
}

describe('a lifecycle', () => {
  it('lets work in only while it runs', async () => {
    const lifecycle = createLifecycle({ timer: createManualTimer() });
    expect([lifecycle.state, lifecycle.enter()]).toEqual(['STARTING', undefined]);
    lifecycle.started();
    expect([lifecycle.state, typeof lifecycle.enter()]).toEqual(['RUNNING', 'function']);
    void lifecycle.shutdown(DEADLINES);
    expect([lifecycle.state, lifecycle.enter()]).toEqual(['DRAINING', undefined]);
  });

  it('waits for work in flight, then closes in reverse order', async () => {
    const { timer, lifecycle, closed, open } = runningService();
    await open('store');
    await open('server');
    const release = lifecycle.enter();
    const report = lifecycle.shutdown(DEADLINES);
    await timer.pass(999);
    expect(closed).toEqual([]);
    release?.();
    expect(await report).toEqual({ abandoned: 0, unfinished: [], failures: [], forced: false, clean: true });
    expect(closed).toEqual(['server', 'store']);
    expect([lifecycle.state, lifecycle.signal.aborted, timer.waiting]).toEqual(['STOPPED', false, 0]);
  });

  it('cancels what is in flight when the drain deadline has passed, and counts it', async () => {
    const { timer, lifecycle, closed, open } = runningService();
    await open('server');
    lifecycle.enter();
    lifecycle.enter();
    const report = lifecycle.shutdown(DEADLINES);
    await timer.pass(999);
    expect(lifecycle.signal.aborted).toBe(false);
    await timer.pass(1);
    expect(lifecycle.signal.aborted).toBe(true);
    expect(await report).toMatchObject({ abandoned: 2, clean: false });
    expect([lifecycle.state, closed]).toEqual(['FAILED', ['server']]);
  });

  it('names what did not close in time, and still begins the rest', async () => {
    const { timer, lifecycle, closed, open } = runningService();
    await open('store');
    await open('engine', forever);
    await open('server');
    const report = lifecycle.shutdown(DEADLINES);
    await settle();
    expect(closed).toEqual(['server', 'engine']);
    await timer.pass(500);
    expect(await report).toEqual({ abandoned: 0, unfinished: ['engine'], failures: [], forced: false, clean: false });
    expect(closed).toEqual(['server', 'engine', 'store']);
  });

  it('counts a closer that ends at once as ended, even after the deadline', async () => {
    const { timer, lifecycle, open } = runningService();
    await open('async', async () => {
      for (let turn = 0; turn < 10; turn++) await undefined;
    });
    await open('failing', async () => {
      throw new Error('no');
    });
    await open('engine', forever);
    const report = lifecycle.shutdown(DEADLINES);
    await settle();
    await timer.pass(500);
    expect(await report).toMatchObject({ unfinished: ['engine'], failures: [{ name: 'failing', error: new Error('no') }] });
  });

  it('goes on after a closer that throws, and reports it', async () => {
    const { lifecycle, closed, open } = runningService();
    await open('store');
    const broken = new Error('broken');
    await open('server', () => {
      throw broken;
    });
    expect(await lifecycle.shutdown(DEADLINES)).toMatchObject({ failures: [{ name: 'server', error: broken }], clean: false });
    expect(closed).toEqual(['server', 'store']);
  });

  it('stops waiting at once when forced, while it drains and while it closes', async () => {
    const draining = runningService();
    draining.lifecycle.enter();
    const drained = draining.lifecycle.shutdown(DEADLINES);
    draining.lifecycle.force();
    expect(await drained).toMatchObject({ abandoned: 1, forced: true });
    expect(draining.lifecycle.signal.aborted).toBe(true);

    const closing = runningService();
    await closing.open('engine', forever);
    const closed = closing.lifecycle.shutdown(DEADLINES);
    await settle();
    closing.lifecycle.force();
    expect(await closed).toMatchObject({ unfinished: ['engine'], forced: true });
  });

  it('closes a service that never ran, which then never runs', async () => {
    const lifecycle = createLifecycle({ timer: createManualTimer() });
    const report = lifecycle.shutdown(DEADLINES);
    lifecycle.started();
    expect(await report).toMatchObject({ clean: true });
    expect(lifecycle.state).toBe('STOPPED');
  });

  it('closes at once what is opened after the closing began', async () => {
    const { lifecycle, closed, open } = runningService();
    await lifecycle.shutdown(DEADLINES);
    await open('late');
    expect(closed).toEqual(['late']);
  });

  it('keeps deadlines on the real clock', async () => {
    const lifecycle = createLifecycle({ timer: systemTimer });
    lifecycle.started();
    lifecycle.enter();
    await lifecycle.onClose('engine', forever);
    expect(await lifecycle.shutdown({ drainMs: 5, closeMs: 5 })).toMatchObject({ abandoned: 1, unfinished: ['engine'] });
  });
});
