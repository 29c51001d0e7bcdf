// Generates proto/src/gen from proto/schema. With --check, generates into a temporary folder and fails
// when the committed files differ.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const proto = fileURLToPath(new URL('../proto', import.meta.url));
const committed = join(proto, 'src/gen');

function buf(...args) {
  const path = `${join(proto, 'node_modules/.bin')}:${process.env.PATH}`;
  const run = spawnSync('buf', args, { cwd: proto, stdio: 'inherit', env: { ...process.env, PATH: path } });
  if (run.error) throw run.error;
  if (run.status !== 0) process.exit(run.status ?? 1);
}

function files(folder) {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path), readFileSync(path, 'utf8')]),
  );
}

buf('lint');
if (process.argv.includes('--check')) {
  const fresh = mkdtempSync(join(tmpdir(), 'yuanbot-gen-'));
  try {
    buf('generate', '--output', fresh);
    const [want, have] = [files(join(fresh, 'src/gen')), files(committed)];
    const drifted = [...new Set([...want.keys(), ...have.keys()])].filter((name) => want.get(name) !== have.get(name));
    if (drifted.length > 0) {
      console.error(`Generated files differ from proto/schema: ${drifted.join(', ')}\nRun: npm run generate`);
      process.exit(1);
    }
    console.log(`proto/src/gen is what proto/schema generates (${want.size} files).`);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
} else {
  buf('generate');
  console.log(`Wrote ${files(committed).size} files to ${relative(process.cwd(), committed)}.`);
}
