import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A project root whose two services are the given scripts: real processes, started as the real ones are. */
export async function projectWith(services: { orchestrator: string; 'sandbox-manager': string }) {
  const root = await mkdtemp(join(tmpdir(), 'yuanbot-root-'));
  for (const [service, script] of Object.entries(services)) {
    const folder = join(root, 'services', service, 'src');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'main.ts'), script);
  }
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}

/**
 * A service that says it is ready at the addresses of its environment, ends on SIGTERM and on the end of stdin,
 * and serves its environment at the file `<data>/<service>.json`.
 */
export function wellBehaved(service: string, prefix: string): string {
  return `
import { writeFileSync, appendFileSync } from 'node:fs';
const { env } = process;
writeFileSync(env.YUANBOT_DATA + '/${service}.json', JSON.stringify({ pid: process.pid, env }));
const end = (how) => { appendFileSync(env.YUANBOT_ENDS ?? '/dev/null', '${service} ' + how + '\\n'); process.exit(0); };
process.once('SIGTERM', () => end('SIGTERM'));
process.stdin.on('end', () => end('stdin')).resume();
console.error(JSON.stringify({ msg: 'up' }));
console.log('not the ready line');
console.log(JSON.stringify({ ready: true, service: 'another', listen: 'x', http: 'y' }));
console.log(JSON.stringify({ ready: true, service: '${service}', listen: env.${prefix}__LISTEN.replace(/:0$/, ':4321'), http: env.${prefix}__HTTP.replace(/:0$/, ':4322') }));
setInterval(() => {}, 1000);
`;
}
