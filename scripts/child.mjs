// One child process in the foreground: signals are handed on to it, its exit status is handed back.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** npm and the terminal may each deliver the same Ctrl-C: a second one this soon is the same one (ms). */
const SAME_SIGNAL_MS = 300;

/**
 * Runs a program and resolves to its exit status (128 + n when signal n ended it; 127 when it cannot be started).
 * The child has its own process group, so a terminal's Ctrl-C reaches it once, through us; it reads no input.
 * `killAfterMs` after a signal the whole group is killed; without it, the child may take its time. `wholeGroup`: signals
 * go to the whole group, for a child such as npx, whose shell would keep them from its program. `onOutput` hears what it prints.
 */
export function runChild(command, args, { env = process.env, cwd, killAfterMs, wholeGroup = false, onOutput } = {}) {
  return new Promise((done) => {
    const last = new Map();
    let killTimer;
    const forward = (signal) => {
      const now = performance.now();
      if (now - (last.get(signal) ?? -Infinity) < SAME_SIGNAL_MS) return;
      last.set(signal, now);
      if (wholeGroup) process.kill(-child.pid, signal);
      else child.kill(signal);
      if (killAfterMs !== undefined) killTimer ??= setTimeout(() => process.kill(-child.pid, 'SIGKILL'), killAfterMs);
    };
    // Before the child is there: it may be quick to have us signalled.
    for (const signal of FORWARDED) process.on(signal, forward);
    const output = onOutput === undefined ? 'inherit' : 'pipe';
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', output, output], detached: true });
    if (onOutput !== undefined) {
      copyOutput(child.stdout, process.stdout, onOutput);
      copyOutput(child.stderr, process.stderr, onOutput);
    }
    const settle = (status) => {
      clearTimeout(killTimer);
      for (const signal of FORWARDED) process.off(signal, forward);
      done(status);
    };
    child.on('error', (error) => {
      console.error(`${command} cannot be started: ${error.message}`);
      settle(127);
    });
    child.on('close', (status, signal) => settle(status ?? 128 + constants.signals[signal]));
  });
}

function copyOutput(from, to, onOutput) {
  from.on('data', (chunk) => {
    onOutput(chunk);
    to.write(chunk);
  });
}
