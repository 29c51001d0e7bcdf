import { describe, expect, it } from 'vitest';
import { containerLabels, managerOf } from '../src/container-labels.ts';
import { parseStartTime, readManagerIdentity, readStartTime } from '../src/manager-identity.ts';
import { isOrphan } from '../src/orphans.ts';

const us = { instanceId: 'us', pid: 10, startedAt: '100', namespace: 'boot-1 pid:[1]' };
const HOUR_MS = 3_600_000;

/** Processes of our namespace, by pid. */
const startTimeOf = async (pid: number) => ({ 10: '100', 11: '200' })[pid];

describe('isOrphan', () => {
  const cases: [string, Partial<typeof us>, { running?: boolean; ageMs?: number }, boolean][] = [
    ['our own', us, {}, false],
    ['a living neighbour', { instanceId: 'b', pid: 11, startedAt: '200' }, { ageMs: 9 * HOUR_MS }, false],
    ['a dead neighbour', { instanceId: 'b', pid: 12, startedAt: '300' }, {}, true],
    ['a dead neighbour whose pid lives again', { instanceId: 'b', pid: 11, startedAt: '199' }, {}, true],
    ['an earlier start of ourselves', { instanceId: 'b', pid: 10, startedAt: '99' }, {}, true],
    ['running, of another pid namespace', { instanceId: 'b', pid: 12, namespace: 'boot-1 pid:[2]' }, {}, false],
    ['running long, of another', { instanceId: 'b', pid: 12, namespace: 'boot-1 pid:[2]' }, { ageMs: 2 * HOUR_MS }, true],
    ['being started by another', { instanceId: 'b', namespace: 'boot-1 pid:[2]' }, { running: false, ageMs: 5_000 }, false],
    ['ended, of another boot', { instanceId: 'b', namespace: 'boot-0 pid:[1]' }, { running: false, ageMs: 90_000 }, true],
  ];
  it.each(cases)('%s', async (_whose, manager, { running = true, ageMs = 0 }, orphan) => {
    const labels = containerLabels({ ...us, ...manager }, 'sha256:t');
    expect(await isOrphan({ labels, running, ageMs }, us, startTimeOf)).toBe(orphan);
  });

  it('leaves alone what runs with labels that it cannot read', async () => {
    const labels = { 'yuanbot.manager': 'x', 'yuanbot.manager.pid': '-1' };
    expect(await isOrphan({ labels, running: true, ageMs: 0 }, us, startTimeOf)).toBe(false);
  });
});

describe('manager identity', () => {
  it('survives the way through labels', () => {
    expect(managerOf(containerLabels(us, 'sha256:t'))).toEqual(us);
    expect(managerOf({})).toBeUndefined();
  });

  it('reads the start time behind any command name', () => {
    const fields = Array.from({ length: 50 }, (_, index) => String(index + 3)).join(' ');
    expect(parseStartTime(`7 (a) b (c) ${fields}\n`)).toBe('22');
    expect(parseStartTime('nonsense')).toBeUndefined();
  });

  it('is of this process, and stays the same', async () => {
    const identity = await readManagerIdentity('x', process.pid);
    expect(identity).toEqual(await readManagerIdentity('x', process.pid));
    expect(await readStartTime(process.pid)).toBe(identity.startedAt);
  });

  it('knows that a process is not there', async () => {
    expect(await readStartTime(2 ** 30)).toBeUndefined();
    await expect(readManagerIdentity('x', 2 ** 30)).rejects.toThrow();
  });
});
