import { parseKeepingNumbers } from '@yuanbot/contract';
import { type CapabilityInfo, CapabilityKind, Provider } from '@yuanbot/proto/capability';
import { closest, distance } from 'fastest-levenshtein';
import { CliError } from '../failure/cli-error.ts';
import { EXIT_CODES } from '../failure/exit-code.ts';
import { type Parameter, parametersOf } from '../tool-flags/parameter.ts';
import type { Connection } from './connect.ts';
import { listCapabilities } from './list-capabilities.ts';

/** A tool, with what a command line for it needs. */
export interface FoundTool {
  readonly info: CapabilityInfo;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** The JSON Schema of its parameters. */
  readonly schema: unknown;
}

const LOOK_UP_TIMEOUT_MS = 30_000;

/**
 * Looks a tool up by its id. `roles` are the user's: what the user may not run has no definition to show.
 *
 * Throws a `CliError` with the code that a call would end with, when there is no such tool or it cannot be called.
 */
export async function findTool(
  connection: Connection,
  id: string,
  roles: readonly string[],
  signal: AbortSignal,
): Promise<FoundTool> {
  const { capabilities: all } = await listCapabilities(connection, { all: true }, signal);
  const tools = all.filter(({ kind }) => kind === CapabilityKind.TOOL);
  const info = tools.find((tool) => tool.id === id);
  if (info === undefined) throw notFound(id, tools);
  const { tools: loaded } = await connection.client.loadForIntent(
    {
      domains: info.domains,
      personaFilters: info.personaFilters,
      candidateTools: [id],
      maxSkills: 0,
      maxTools: 1,
      roles: [...roles],
      provider: Provider.OPENAI,
    },
    { signal, timeoutMs: LOOK_UP_TIMEOUT_MS },
  );
  const definition = loaded.find((tool) => tool.id === id)?.definitionJson;
  if (definition === undefined) throw info.callable ? notOffered(id) : notCallable(info);
  return { info, ...readDefinition(definition) };
}

/** `{type:"function",function:{name,description,parameters}}`. */
function readDefinition(json: string) {
  const { function: declared } = parseKeepingNumbers(json) as { function?: { description?: unknown; parameters?: unknown } };
  const description = typeof declared?.description === 'string' ? declared.description : '';
  const schema = declared?.parameters ?? {};
  return { description, schema, parameters: parametersOf(schema) };
}

function notFound(id: string, tools: readonly CapabilityInfo[]): CliError {
  const ids = tools.map((tool) => tool.id);
  const nearest = ids.length === 0 ? undefined : closest(id, ids);
  const near = nearest !== undefined && distance(id, nearest) <= Math.max(2, id.length / 3);
  return new CliError(EXIT_CODES.failed, 'ERR_TOOL_NOT_FOUND', `There is no tool "${id}".`, {
    hint: near ? `Did you mean ${nearest}?` : 'yuanbot-cli list --kind tool shows those there are.',
  });
}

function notCallable({ id, enabled, problems }: CapabilityInfo): CliError {
  const reasons = problems.map(({ file, line, message }) => `${file}${line === 0 ? '' : `:${line}`} ${message}`);
  return new CliError(
    EXIT_CODES.failed,
    'ERR_TOOL_DISABLED',
    enabled ? `The tool "${id}" cannot be called: ${reasons.join('; ')}` : `The tool "${id}" is disabled.`,
    { hint: enabled ? 'yuanbot-cli list shows what to write instead.' : 'Set `enabled: true` in its file.' },
  );
}

function notOffered(id: string): CliError {
  return new CliError(EXIT_CODES.refused, 'ERR_PERMISSION_DENIED', `The platform does not offer "${id}" to this user.`, {
    hint: 'A system tool is offered to administrators: --role admin.',
  });
}
