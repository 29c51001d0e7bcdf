import { isUtf8 } from 'node:buffer';
import type { ResourceInfo } from '@yuanbot/proto/capability';
import type { Command } from 'commander';
import { type Connection, type ConnectionOptions, withConnection } from '../connection/connect.ts';
import { CliError } from '../failure/cli-error.ts';
import { EXIT_CODES } from '../failure/exit-code.ts';
import { embeddedOption } from '../options/embedded-option.ts';
import { printForeignText, printJson } from '../terminal/print-document.ts';
import type { World } from '../world.ts';

interface ResourceOptions extends ConnectionOptions {
  readonly json?: boolean;
}

/** `resource`: a file that belongs to a skill or tool. */
export function addResourceCommand(program: Command, world: World): void {
  program
    .command('resource')
    .summary('read a file of a skill or tool')
    .description("Print one of a capability's own files, as a running skill or tool would read it.")
    .argument('<capability>', 'id of the skill or tool')
    .argument('<path>', 'path of the file, as the capability lists it')
    .addOption(embeddedOption())
    .addHelpText('after', '\nExample:\n  yuanbot-cli resource bedtime_story resources/styles_zh.txt > styles.txt')
    .action(async (capability: string, path: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ResourceOptions>();
      await withConnection(world, options, async (connection) => {
        const { content, info } = await readWhole(connection, capability, path, world.interrupted);
        if (options.json) printJson(world.stdout, resourceDocument(capability, content, info));
        else if (!world.stdout.isTty) world.stdout.write(content);
        else if (isUtf8(content)) printForeignText(world.stdout, content.toString('utf8'));
        else throw binaryOnScreen(path);
      });
    });
}

/** One page; well under the message limit of the API. */
const PAGE_BYTES = 1024 * 1024;
const PAGE_TIMEOUT_MS = 30_000;

async function readWhole({ client }: Connection, capabilityId: string, path: string, signal: AbortSignal) {
  const pages: Uint8Array[] = [];
  let offset = 0n;
  while (true) {
    const page = await client.readResource(
      { capabilityId, path, offset, limit: BigInt(PAGE_BYTES) },
      { signal, timeoutMs: PAGE_TIMEOUT_MS },
    );
    pages.push(page.content);
    offset += BigInt(page.content.length);
    // A page with nothing in it and no end would be asked for again for ever.
    if (page.end || page.content.length === 0) return { content: Buffer.concat(pages), info: page.info };
  }
}

function resourceDocument(capability: string, content: Buffer, info: ResourceInfo | undefined) {
  const text = isUtf8(content);
  return {
    capability,
    path: info?.path ?? '',
    size: content.length,
    digest: info?.digest ?? '',
    media_type: info?.mediaType ?? '',
    encoding: text ? 'utf8' : 'base64',
    content: content.toString(text ? 'utf8' : 'base64'),
  };
}

function binaryOnScreen(path: string): CliError {
  return new CliError(EXIT_CODES.usage, 'USAGE', `${path} is not text.`, {
    hint: 'Write it to a file: yuanbot-cli resource … > file; or ask for --json, which carries it as base64.',
  });
}
