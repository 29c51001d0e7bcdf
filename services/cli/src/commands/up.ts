import { once } from 'node:events';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { CliError } from '../failure/cli-error.ts';
import { EXIT_CODES } from '../failure/exit-code.ts';
import { type Platform, startPlatform } from '../platform/index.ts';
import { runStartCalls } from '../start-table/run-start-calls.ts';
import { startTableDocument, startTableText } from '../start-table/show-start-table.ts';
import type { StartRow } from '../start-table/start-row.ts';
import { printJson } from '../terminal/print-document.ts';
import { printProgress } from '../terminal/print-progress.ts';
import type { World } from '../world.ts';

interface UpOptions {
  readonly once?: boolean;
  readonly data?: string;
  readonly verbose?: boolean;
  readonly json?: boolean;
}

/** `up`: start a platform, show that every sandbox works, serve until a signal. */
export function addUpCommand(program: Command, world: World): void {
  program
    .command('up')
    .summary('start the platform and serve')
    .description(
      'Start orchestrator and sandbox-manager, run one call in every sandbox that is there, print what came of it, and serve until Ctrl-C.',
    )
    .option('--once', 'end after the table; exit 1 when a sandbox that is there failed (temporary data, addresses of its own)')
    .addOption(
      new Option('--data <folder>', 'where state is kept (default: $YUANBOT_DATA, or data in the project)').conflicts('once'),
    )
    .option('--verbose', "the services' logs to stderr instead of to files")
    .addHelpText('after', EXAMPLES)
    .action((_options: unknown, command: Command) => up(world, command.optsWithGlobals<UpOptions>()));
}

const EXAMPLES = `
Examples:
  yuanbot-cli up
  yuanbot-cli up --once --json
  YUANBOT_ORCHESTRATOR__LISTEN=127.0.0.1:7520 yuanbot-cli up --data /var/tmp/yuanbot`;

async function up(world: World, options: UpOptions): Promise<void> {
  const { root, nodePath, env, interrupted: signal, stderr } = world;
  const onProgress = (sentence: string) => printProgress(stderr, sentence, options.json === true);
  const ephemeral = options.once === true;
  const platform = await startPlatform({
    root,
    nodePath,
    env,
    ephemeral,
    dataDir: folderOf(options, world),
    restart: !ephemeral,
    logs: options.verbose ? 'inherit' : 'file',
    onProgress,
    signal,
  });
  try {
    const rows = await runStartCalls(platform, { signal, onProgress });
    showStart(world, platform, rows, options.json === true);
    if (ephemeral) return refuseFailed(rows);
    const { listen, http } = platform.orchestrator;
    onProgress(`Serving: gRPC ${listen}, health and metrics http://${http}; data in ${platform.dataDir}`);
    onProgress('Ctrl-C ends it; twice, at once.');
    await serve(world, platform);
  } finally {
    onProgress('Stopping …');
    await platform.stop(world.forced);
  }
}

function showStart({ stdout }: World, platform: Platform, rows: readonly StartRow[], json: boolean): void {
  const { orchestrator, sandboxManager, dataDir } = platform;
  if (json) {
    printJson(stdout, {
      address: orchestrator.listen,
      http: orchestrator.http,
      manager_address: sandboxManager.listen,
      manager_http: sandboxManager.http,
      data: dataDir,
      sandboxes: startTableDocument(rows),
    });
  } else {
    stdout.write(startTableText(rows, stdout.colors));
  }
}

/** Until a signal. A service that dies meanwhile is started again; one that cannot be is the end. */
async function serve({ interrupted }: World, { lost }: Platform): Promise<void> {
  if (interrupted.aborted) return;
  const how = await Promise.race([lost, once(interrupted, 'abort')]);
  if (typeof how === 'string') throw new CliError(EXIT_CODES.internal, 'SERVICE_LOST', how);
}

/** A relative folder is taken where the person stands. */
function folderOf({ data }: UpOptions, { env, cwd }: World): string | undefined {
  const folder = data ?? env['YUANBOT_DATA'];
  return folder === undefined ? undefined : resolve(cwd, folder);
}

function refuseFailed(rows: readonly StartRow[]): void {
  const failed = rows.filter(({ state }) => state === 'failed').map(({ sandbox }) => sandbox);
  if (failed.length > 0) throw new CliError(EXIT_CODES.failed, 'SANDBOX_FAILED', `Failed: ${failed.join(', ')}.`);
}
