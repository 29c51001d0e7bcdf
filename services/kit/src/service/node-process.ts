import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { ServiceProcess } from './run-service.ts';

/** The running Node process as `runService` takes it; handed in by a `main.ts`, which alone reads `process`. */
export function nodeProcess(process: NodeJS.Process): ServiceProcess {
  return {
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    pid: process.pid,
    cores: availableParallelism(),
    cwd: () => process.cwd(),
    readFile: (path) => readFile(path, 'utf8'),
    on: (signal, listener) => process.on(signal, listener),
    off: (signal, listener) => process.off(signal, listener),
    exit: (code) => process.exit(code),
    onCrash(listener) {
      process.on('uncaughtException', listener);
      process.on('unhandledRejection', listener);
    },
  };
}
