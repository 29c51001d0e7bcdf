// A process for signals.test.ts: one call in flight, which ends once the service drains, or never.
import { setTimeout as sleep } from 'node:timers/promises';
import { createLifecycle, installSignalHandlers, systemTimer } from '../../src/lifecycle/index.ts';

const lifecycle = createLifecycle({ timer: systemTimer });
lifecycle.started();
const release = lifecycle.enter();
installSignalHandlers({
  process,
  lifecycle,
  deadlines: { drainMs: 60_000, closeMs: 1000 },
  onStopped: ({ abandoned, forced }) => console.log(`stopped abandoned=${abandoned} forced=${forced}`),
});
console.log('running');
while (lifecycle.state === 'RUNNING') await sleep(2);
console.log('draining');
if (process.argv[2] === 'ends') release?.();
