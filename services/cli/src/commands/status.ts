import { createClient, RpcError, RpcStatus } from '@yuanbot/proto';
import { ExecutorKind, type Sandbox, SandboxManagerService } from '@yuanbot/proto/sandbox';
import type { Command } from 'commander';
import { type Connection, type ConnectionOptions, withConnection } from '../connection/connect.ts';
import { checkHealth } from '../connection/health.ts';
import { nameIn } from '../documents/names.ts';
import { CliError } from '../failure/cli-error.ts';
import { EXIT_CODES } from '../failure/exit-code.ts';
import { embeddedOption } from '../options/embedded-option.ts';
import { printJson } from '../terminal/print-document.ts';
import { type Column, renderTable } from '../terminal/table.ts';
import type { Colors, Terminal } from '../terminal/terminal.ts';
import type { World } from '../world.ts';

interface StatusOptions extends ConnectionOptions {
  readonly json?: boolean;
}

interface ServiceStatus {
  readonly service: string;
  readonly address: string;
  /** `serving`, or why not. */
  readonly health: string;
}

interface Status {
  readonly services: readonly ServiceStatus[];
  readonly sandboxes: readonly Sandbox[];
}

/** `status`: do both services take calls, and which sandboxes are there. */
export function addStatusCommand(program: Command, world: World): void {
  program
    .command('status')
    .summary('show whether the services and sandboxes are well')
    .description(
      'Show whether both services take calls, and which sandboxes are there. Exit code 1 when one does not serve.\nThe sandbox-manager is looked for in the data folder of this project; YUANBOT_MANAGER_ADDRESS names another.',
    )
    .addOption(embeddedOption())
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<StatusOptions>();
      await withConnection(world, options, async (connection) => {
        const status = await readStatus(connection, world.interrupted);
        if (options.json) printJson(world.stdout, statusDocument(status));
        else printStatus(world.stdout, status);
        const down = status.services.filter(({ health }) => health !== SERVING);
        if (down.length > 0) throw notServing(down);
      });
    });
}

const SERVING = 'serving';
const UNREACHABLE = 'unreachable';
/** Health is answered from memory. */
const HEALTH_TIMEOUT_MS = 5_000;
/** Sandboxes are looked at, not remembered: an engine may take its time. */
const DESCRIBE_TIMEOUT_MS = 15_000;

async function readStatus({ client, address, managerAddress }: Connection, signal: AbortSignal): Promise<Status> {
  const orchestrator = await checkHealth(client.channel, Date.now() + HEALTH_TIMEOUT_MS);
  const manager = await readManager(await managerAddress(), signal);
  return {
    services: [{ service: 'orchestrator', address, health: orchestrator.toLowerCase() }, manager.status],
    sandboxes: manager.sandboxes,
  };
}

async function readManager(
  address: string,
  signal: AbortSignal,
): Promise<{ status: ServiceStatus; sandboxes: readonly Sandbox[] }> {
  const client = createClient(SandboxManagerService, address);
  const service = 'sandbox-manager';
  try {
    const health = await checkHealth(client.channel, Date.now() + HEALTH_TIMEOUT_MS);
    const { sandboxes } = await client.describe({}, { signal, timeoutMs: DESCRIBE_TIMEOUT_MS });
    return { status: { service, address, health: health.toLowerCase() }, sandboxes };
  } catch (error) {
    if (!(error instanceof RpcError) || signal.aborted) throw error;
    const health = error.code === RpcStatus.UNAVAILABLE ? UNREACHABLE : error.details;
    return { status: { service, address, health }, sandboxes: [] };
  } finally {
    client.close();
  }
}

function printStatus(stdout: Terminal, { services, sandboxes }: Status): void {
  const { colors } = stdout;
  stdout.write(renderTable(serviceColumns(colors), services, colors));
  if (sandboxes.length > 0) stdout.write(`\n${renderTable(sandboxColumns(colors), sandboxes, colors)}`);
}

function serviceColumns(colors: Colors): readonly Column<ServiceStatus>[] {
  return [
    { title: 'service', text: ({ service }) => service },
    {
      title: 'health',
      text: ({ health }) => health,
      paint: (text, { health }) => (health === SERVING ? colors.green(text) : colors.red(text)),
    },
    { title: 'address', text: ({ address }) => address },
  ];
}

function sandboxColumns(colors: Colors): readonly Column<Sandbox>[] {
  return [
    { title: 'sandbox', text: ({ kind }) => executorName(kind) },
    { title: 'isolation', text: ({ isolation }) => isolation || '–' },
    { title: 'warm', align: 'right', text: ({ warm }) => String(warm) },
    { title: 'busy', align: 'right', text: ({ busy }) => String(busy) },
    { title: 'capacity', align: 'right', text: ({ capacity }) => String(capacity) },
    {
      title: 'state',
      text: ({ available, reason }) => (available ? 'available' : `not available: ${reason}`),
      paint: (text, { available }) => (available ? colors.green(text) : colors.yellow(text)),
    },
  ];
}

function executorName(kind: ExecutorKind): string {
  return nameIn(ExecutorKind, kind);
}

function statusDocument({ services, sandboxes }: Status) {
  return {
    services,
    sandboxes: sandboxes.map(({ kind, available, isolation, reason, warm, busy, capacity }) => ({
      sandbox: executorName(kind),
      available,
      isolation,
      reason,
      warm,
      busy,
      capacity,
    })),
  };
}

function notServing(down: readonly ServiceStatus[]): CliError {
  const lost = down.some(({ health }) => health === UNREACHABLE);
  return new CliError(EXIT_CODES.failed, 'NOT_SERVING', `${down.map(({ service }) => service).join(' and ')} does not serve.`, {
    hint: lost
      ? 'YUANBOT_DATA says in which data folder its socket lies, YUANBOT_MANAGER_ADDRESS where it is otherwise.'
      : undefined,
  });
}
