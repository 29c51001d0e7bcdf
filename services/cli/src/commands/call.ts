import { parseKeepingNumbers, printableLine, printableText } from '@yuanbot/contract';
import type { ExecuteToolResponse, ToolExecutionResult } from '@yuanbot/proto/capability';
import { type Command, Option } from 'commander';
import { type Connection, type ConnectionOptions, withConnection } from '../connection/connect.ts';
import { type FoundTool, findTool } from '../connection/find-tool.ts';
import { resultDocument } from '../documents/result.ts';
import { CliError } from '../failure/cli-error.ts';
import { EXIT_CODES } from '../failure/exit-code.ts';
import { embeddedOption } from '../options/embedded-option.ts';
import { localeOf } from '../options/locale.ts';
import { collect, duration } from '../options/values.ts';
import { printForeignText, printJson } from '../terminal/print-document.ts';
import { type Params, paramsJson, readParams } from '../tool-flags/params-source.ts';
import { createToolCommand } from '../tool-flags/tool-command.ts';
import type { World } from '../world.ts';

interface CallOptions extends ConnectionOptions {
  readonly params?: string;
  readonly user: string;
  readonly session: string;
  readonly role?: readonly string[];
  readonly timeout?: number;
  readonly locale?: string;
  readonly help?: boolean;
  readonly json?: boolean;
}

/**
 * `call`: run a tool. Its parameters are flags of their own, made from its schema; so the line is read twice: first
 * for what `call` itself knows, then, with the tool's flags at hand, for the rest.
 */
export function addCallCommand(program: Command, world: World): void {
  const shared = sharedOptions();
  const call = program
    .command('call')
    .summary('run a tool')
    .description("Run a tool and print its result. A tool's parameters are flags: see `yuanbot-cli call <tool> --help`.")
    .usage('<tool> [parameters] [options]')
    .argument('[tool]', 'id of the tool')
    .argument('[parameters...]', "the tool's own flags")
    .helpOption(false)
    .allowUnknownOption();
  for (const option of shared) call.addOption(option);
  call.addHelpText('after', EXAMPLES).action(async (tool: string | undefined, rest: readonly string[], _options: unknown) => {
    const options = call.optsWithGlobals<CallOptions>();
    if (tool === undefined || tool.startsWith('-')) {
      if (options.help) call.help();
      throw usage(
        tool === undefined ? 'No tool is named.' : `The tool comes first: "${tool}" stands in its place.`,
        SEE_CALL_HELP,
      );
    }
    await withConnection(world, options, (connection) => runCall({ call, shared, world, connection, tool, rest, options }));
  });
}

function sharedOptions(): readonly Option[] {
  return [
    new Option('--params <json>', 'all parameters as a JSON object; @file reads one, - takes stdin; flags win over it'),
    new Option('-u, --user <id>', 'the user that the call is for').default('cli'),
    new Option('-s, --session <id>', 'the session that it belongs to').default('cli'),
    new Option('--role <role>', 'a role of the user; repeatable').argParser(collect),
    new Option('--timeout <time>', "at most this long (10s, 500ms); may only shorten the tool's own").argParser(duration),
    new Option('--locale <locale>', 'language of messages (default: that of the environment)').choices(['zh', 'en']),
    embeddedOption(),
    new Option('-h, --help', 'display help for the tool'),
  ];
}

const EXAMPLES = `
Examples:
  yuanbot-cli call get_current_datetime --format date
  yuanbot-cli call get_current_datetime --help
  yuanbot-cli call calculate --params '{"expression":"0.1+0.2"}' --json
  yuanbot-cli call text_stats --params @input.json --embedded`;

const SEE_CALL_HELP = 'See: yuanbot-cli call --help';

interface CallContext {
  readonly call: Command;
  readonly shared: readonly Option[];
  readonly world: World;
  readonly connection: Connection;
  readonly tool: string;
  readonly rest: readonly string[];
  readonly options: CallOptions;
}

async function runCall(context: CallContext): Promise<void> {
  const { call, shared, world, connection, tool, rest, options } = context;
  const roles = options.role ?? [];
  const base = options.params === undefined ? {} : await readParams(options.params, world);
  let json = paramsJson(base, new Map());
  // Whole parameters need no schema: one request, and the platform judges them.
  if (options.help || rest.length > 0 || options.params === undefined) {
    const found = await findTool(connection, tool, roles, world.interrupted);
    const { command, flags, parse } = createToolCommand(call, tool, found.parameters, shared);
    command.description(printableText(found.description));
    if (options.help) return printToolHelp(context, found, command, flags);
    const given = parse(rest);
    refuseMissing(found, flags, base, given);
    json = paramsJson(base, given);
  }
  const { result } = await execute(context, json, roles);
  if (result === undefined) throw new CliError(EXIT_CODES.internal, 'INTERNAL', 'The platform answered without a result.');
  printResult(world, result, options.json === true);
}

function execute(
  { world, connection, tool, options }: CallContext,
  json: string,
  roles: readonly string[],
): Promise<ExecuteToolResponse> {
  const request = {
    toolId: tool,
    paramsJson: json,
    userId: options.user,
    sessionId: options.session,
    roles: [...roles],
    timeoutMs: options.timeout ?? 0,
    locale: options.locale ?? localeOf(world.env),
  };
  return connection.client.executeTool(request, { signal: world.interrupted });
}

function printToolHelp(
  { world, options }: CallContext,
  { info, description, parameters, schema }: FoundTool,
  command: Command,
  flags: ReadonlyMap<string, string>,
): void {
  if (!options.json) {
    command.outputHelp();
    return;
  }
  const named = parameters.map(({ name, required }) => ({
    name,
    flag: flags.has(name) ? `--${flags.get(name)}` : null,
    required,
  }));
  printJson(world.stdout, { tool_id: info.id, name: info.name, description, parameters: named, schema });
}

/** The platform would say the same; here it can be said in flags. */
function refuseMissing(
  found: FoundTool,
  flags: ReadonlyMap<string, string>,
  base: Params,
  given: ReadonlyMap<string, unknown>,
): void {
  const missing = found.parameters
    .filter(({ name, required }) => required && !given.has(name) && !Object.hasOwn(base, name))
    .map(({ name }) => (flags.has(name) ? `--${flags.get(name)}` : `"${name}" in --params`));
  if (missing.length === 0) return;
  throw usage(`The tool "${found.info.id}" needs ${missing.join(', ')}.`, `See: yuanbot-cli call ${found.info.id} --help`);
}

function printResult({ stdout, stderr }: World, result: ToolExecutionResult, json: boolean): void {
  if (json) printJson(stdout, resultDocument(result));
  if (!result.success) {
    throw new CliError(
      EXIT_CODES.failed,
      result.errorCode || 'ERR_INTERNAL',
      result.error || 'The call failed without a reason.',
    );
  }
  if (json) return;
  const value = result.resultJson === '' ? null : parseKeepingNumbers(result.resultJson);
  if (typeof value === 'string') printForeignText(stdout, value);
  else printJson(stdout, value);
  const { dim } = stderr.colors;
  if (result.stats?.fallback) stderr.write(`${dim("The tool's own sandbox is not there: it ran in its fallback.")}\n`);
  for (const { mediaType, data, name } of result.parts) {
    const part = printableLine(`${name || 'a part'}: ${mediaType}, ${data.length} bytes`);
    stderr.write(`${dim(`With it came ${part}; --json carries it.`)}\n`);
  }
}

function usage(message: string, hint: string): CliError {
  return new CliError(EXIT_CODES.usage, 'USAGE', message, { hint });
}
