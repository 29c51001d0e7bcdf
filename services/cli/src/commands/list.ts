import { printableLine } from '@yuanbot/contract';
import type { CapabilityInfo, Problem } from '@yuanbot/proto/capability';
import { type Command, Option } from 'commander';
import { type ConnectionOptions, withConnection } from '../connection/connect.ts';
import { type CapabilityFilter, type Listing, listCapabilities } from '../connection/list-capabilities.ts';
import { capabilityDocument, problemDocument } from '../documents/capability.ts';
import { kindName, levelName, sandboxName, severityName } from '../documents/names.ts';
import { embeddedOption } from '../options/embedded-option.ts';
import { collect } from '../options/values.ts';
import { printJson } from '../terminal/print-document.ts';
import { type Column, renderTable } from '../terminal/table.ts';
import type { Colors, Terminal } from '../terminal/terminal.ts';
import type { World } from '../world.ts';

interface ListOptions extends ConnectionOptions, CapabilityFilter {
  readonly json?: boolean;
}

/** `list`: what exists, and what is wrong with it. */
export function addListCommand(program: Command, world: World): void {
  program
    .command('list')
    .summary('list the skills and tools')
    .description('List the skills and tools that the platform knows, and the problems of their files.')
    .option('-d, --domain <prefix>', 'only of this capability domain and those below it')
    .addOption(new Option('-k, --kind <kind>', 'only these').choices(['skill', 'tool']))
    .option('-t, --tag <tag>', 'only with this tag; repeatable', collect)
    .option('-a, --all', 'disabled ones too')
    .addOption(embeddedOption())
    .addHelpText('after', EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>();
      await withConnection(world, options, async (connection) => {
        const listing = await listCapabilities(connection, options, world.interrupted);
        if (options.json) printJson(world.stdout, listingDocument(listing));
        else printListing(world.stdout, listing);
      });
    });
}

const EXAMPLES = `
Examples:
  yuanbot-cli list --kind tool
  yuanbot-cli list --domain daily_chat --json | jq -r '.capabilities[].id'`;

function listingDocument({ capabilities, fileProblems }: Listing) {
  return { capabilities: capabilities.map(capabilityDocument), file_problems: fileProblems.map(problemDocument) };
}

function printListing(stdout: Terminal, { capabilities, fileProblems }: Listing): void {
  if (capabilities.length === 0) stdout.write('Nothing matches.\n');
  stdout.write(renderTable(columns(stdout.colors), capabilities, stdout.colors));
  const problems = [
    ...capabilities.flatMap(({ id, source, file, problems: found }) =>
      found.map((problem) => problemLines(id, `${source}/${problem.file || file}`, problem, stdout.colors)),
    ),
    ...fileProblems.map((problem) => problemLines('–', problem.file, problem, stdout.colors)),
  ];
  if (problems.length > 0) stdout.write(`\n${stdout.colors.bold('Problems')}\n${problems.join('')}`);
}

function columns(colors: Colors): readonly Column<CapabilityInfo>[] {
  return [
    { title: 'id', text: ({ id }) => id },
    { title: 'kind', text: ({ kind }) => kindName(kind) || '–' },
    { title: 'level', text: ({ permissionLevel }) => levelName(permissionLevel) || '–' },
    { title: 'sandbox', text: ({ sandbox }) => sandboxName(sandbox) || '–' },
    { title: 'domains', text: ({ domains }) => domains.join(', ') || '–' },
    {
      title: 'callable',
      text: ({ callable, enabled }) => (enabled ? (callable ? 'yes' : 'no') : 'disabled'),
      paint: (text, { callable, enabled }) => (callable ? colors.green(text) : enabled ? colors.red(text) : colors.dim(text)),
    },
    {
      title: 'problems',
      align: 'right',
      text: ({ problems }) => (problems.length === 0 ? '–' : String(problems.length)),
    },
    { title: 'name', text: ({ name }) => name },
  ];
}

function problemLines(id: string, path: string, problem: Problem, colors: Colors): string {
  const severity = severityName(problem.severity);
  const shown = severity === 'error' ? colors.red(severity) : colors.yellow(severity);
  const line = problem.line === 0 ? '' : `:${problem.line}`;
  const where = `${path}${line}`;
  const mend = problem.mend === '' ? '' : `         ${colors.dim(`→ ${printableLine(problem.mend)}`)}\n`;
  return `${shown}  ${printableLine(id)}  ${printableLine(where)}\n         ${printableLine(problem.message)}\n${mend}`;
}
