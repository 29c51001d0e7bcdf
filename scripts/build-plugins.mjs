// Builds the shipped tools that are not run from source: calculate.js (a bundle) and convert_data.wasm.
// The results are committed, so that the platform needs no compiler. With --check, nothing is written and
// the run fails when a committed file is not what its sources build to.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tools = join(root, 'configs/Plugins/tools');

/** A library of the tool's own package: the root does not depend on the compilers. */
async function importFrom(folder, name) {
  const entry = name.startsWith('assemblyscript')
    ? join(folder, 'node_modules/assemblyscript/dist/asc.js')
    : createRequire(join(folder, 'package.json')).resolve(name);
  return import(pathToFileURL(entry).href);
}

/**
 * decimal.js gives each number a `constructor`, which its prototype only inherits. Under lockdown what it inherits
 * from is frozen, and the assignment throws; with a property of its own on the prototype it works, frozen or not.
 */
const decimalUnderLockdown = {
  name: 'decimal-under-lockdown',
  setup(build) {
    build.onLoad({ filter: /decimal\.mjs$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const contents = source.replace('P = { toStringTag: tag };', 'P = { toStringTag: tag, constructor: undefined };');
      if (contents === source) throw new Error(`${path} has changed: see decimalUnderLockdown in scripts/build-plugins.mjs.`);
      return { contents, loader: 'js' };
    });
  },
};

/** SES refuses a compartment's source that holds one of these, wherever it stands. */
const REFUSED_BY_SES = [/<!--|-->/, /\bimport\s*(\(|\/[/*])/, /\beval\s*(\(|\/[/*])/];

async function buildCalculate() {
  const folder = join(tools, 'calculate');
  const { build } = await importFrom(folder, 'esbuild');
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: ['src/tool.ts'],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    charset: 'utf8',
    target: 'es2024',
    format: 'iife',
    globalName: 'tool',
    banner: { js: '/*! Built by scripts/build-plugins.mjs; licences of what it holds: calculate.licences.txt */' },
    footer: { js: 'module.exports=tool.default;' },
    legalComments: 'inline',
    plugins: [decimalUnderLockdown],
    logLevel: 'warning',
  });
  const [{ text }] = outputFiles;
  const refused = REFUSED_BY_SES.find((pattern) => pattern.test(text));
  if (refused) throw new Error(`calculate.js holds ${refused}, which SES refuses; mend the source or the bundler's options.`);
  return [
    [join(folder, 'calculate.js'), Buffer.from(text)],
    [join(folder, 'calculate.licences.txt'), Buffer.from(licences(bundledPackages(folder, metafile)))],
  ];
}

/** The folders of the packages in a bundle, by the files that the bundler says it read. */
function bundledPackages(folder, metafile) {
  const found = Object.keys(metafile.inputs).flatMap((input) => /.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input) ?? []);
  return [...new Set(found)].sort().map((path) => join(folder, path));
}

function licences(packageFolders) {
  return packageFolders
    .map((path) => {
      const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
      return `${name} ${version} (${license})\n\n${licenceText(path)}\n`;
    })
    .join('\n----\n\n');
}

function licenceText(path) {
  const [licence, ...notices] = ['LICENSE', 'LICENCE.md', 'NOTICE'].flatMap((file) => readIfThere(join(path, file)) ?? []);
  if (licence === undefined) throw new Error(`No licence file in ${path}; what holds its code may not ship without it.`);
  return [licence, ...notices].map((bytes) => bytes.toString().replaceAll('\r\n', '\n').trim()).join('\n\n');
}

async function buildConvertData() {
  const folder = join(tools, 'convert_data');
  const asc = (await importFrom(folder, 'assemblyscript')).default;
  const scratch = mkdtempSync(join(tmpdir(), 'yuanbot-asc-'));
  try {
    const outFile = join(scratch, 'convert_data.wasm');
    const { error, stderr } = await asc.main([
      'assembly/main.ts',
      ...['--baseDir', folder],
      ...['--outFile', relative(folder, outFile)],
      ...['--exportStart', '_start'],
      ...['--use', 'abort=assembly/abort/abort'],
      ...['--runtime', 'incremental'],
      ...['--maximumMemory', '1024'], // pages of 64 KiB: the 64 MiB of the tool's file
      ...['--optimizeLevel', '3', '--shrinkLevel', '1', '--converge'],
    ]);
    if (error) throw new Error(`asc failed:\n${stderr.toString()}`, { cause: error });
    const runtime = join(folder, 'node_modules/assemblyscript');
    return [
      [join(folder, 'convert_data.wasm'), readFileSync(outFile)],
      [join(folder, 'convert_data.licences.txt'), Buffer.from(licences([runtime]))],
    ];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const built = [...(await buildCalculate()), ...(await buildConvertData())];
const names = (files) => files.map(([path]) => relative(root, path)).join(', ');
if (process.argv.includes('--check')) {
  const drifted = built.filter(([path, bytes]) => readIfThere(path)?.equals(bytes) !== true);
  if (drifted.length > 0) {
    console.error(`Not what their sources build to: ${names(drifted)}\nRun: node scripts/build-plugins.mjs`);
    process.exit(1);
  }
  console.log(`Committed and built are the same: ${names(built)}.`);
} else {
  for (const [path, bytes] of built) writeFileSync(path, bytes);
  console.log(built.map(([path, bytes]) => `${relative(root, path)}: ${bytes.length} bytes`).join('\n'));
}

function readIfThere(path) {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
