// A Docker engine of the tests' own: private socket, data, state and containerd, all in one temporary folder.
// No bridge and no packet filter rules: containers of the tests have no network, and two engines do not meet.
import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SetupFailure } from '../setup-failure.mjs';
import { engineAnswers } from './engine-api.mjs';
import { clearEngineFolder, clearForgottenEngines, ENGINE_FOLDER_PREFIX } from './engine-folder.mjs';

const START_DEADLINE_MS = 60_000; // containerd's first start on a slow disk takes tens of seconds
const STOP_DEADLINE_MS = 20_000; // dockerd itself gives running containers 10 s
const POLL_MS = 50;
const LOG_LINES_SHOWN = 20;

/**
 * Starts the engine.
 * @returns {Promise<{ socket: string, stop: () => Promise<void> }>} `stop` leaves no process, mount or file behind
 * @throws {SetupFailure} with the end of the engine's log
 */
export async function startDockerEngine() {
  if (process.getuid() !== 0) throw new SetupFailure('The tests start a Docker engine of their own, and only root can do that.');
  clearForgottenEngines();
  const folder = mkdtempSync(join(tmpdir(), ENGINE_FOLDER_PREFIX));
  const socket = join(folder, 'docker.sock');
  const log = join(folder, 'dockerd.log');
  const child = spawnEngine(folder, socket, log);
  const ended = new Promise((done) => child.on('error', done).on('exit', done));
  const stop = async () => {
    child.kill('SIGTERM');
    await Promise.race([ended, sleep(STOP_DEADLINE_MS, undefined, { ref: false })]);
    await clearEngineFolder(folder);
  };

  const deadline = performance.now() + START_DEADLINE_MS;
  while (!(await engineAnswers(socket))) {
    const over = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
    if (over || performance.now() > deadline) {
      const words = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
      await stop();
      throw new SetupFailure(
        `The Docker engine ${over ? 'ended at its start' : 'does not answer'}. The end of its log:\n${words}`,
      );
    }
    await sleep(POLL_MS);
  }
  return { socket, stop };
}

function spawnEngine(folder, socket, log) {
  const dockerd = ['dockerd', '--host', `unix://${socket}`, '--data-root', join(folder, 'data')];
  dockerd.push('--exec-root', join(folder, 'exec'), '--pidfile', join(folder, 'docker.pid'));
  dockerd.push('--bridge=none', '--iptables=false', '--ip6tables=false', '--log-level', 'warn');
  const output = openSync(log, 'a');
  // setpriv: should this process be killed outright, the kernel ends the engine in its place.
  return spawn('setpriv', ['--pdeathsig', 'TERM', ...dockerd], {
    stdio: ['ignore', output, output],
    detached: true, // a Ctrl-C on the terminal is for the tests; the engine ends after them
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
  });
}
