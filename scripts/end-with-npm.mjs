// npm hands SIGINT and SIGTERM on to the program that it runs, and nothing else: a SIGHUP or SIGKILL ends npm alone.

/** Time between two looks at who our parent is (ms). */
const LOOK_MS = 250;

const parent = process.ppid;

/** When npm runs this program, a SIGHUP comes once npm is gone; the kernel tells a child of its parent's end by a new parent only. */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGHUP');
  }, LOOK_MS);
  looking.unref();
}
