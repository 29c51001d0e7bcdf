import { printableJson, printableText } from '@yuanbot/contract';
import type { CliError } from '../failure/cli-error.ts';
import type { Terminal } from './terminal.ts';

/** Says on stderr what failed, in words or as a line `{"error":{…}}`. */
export function printFailure(stderr: Terminal, failure: CliError, json: boolean): void {
  const { code, message, hint, exitCode } = failure;
  if (json) {
    const error = { code, message, hint: hint ?? null, exit_code: exitCode };
    stderr.write(`${printableJson(JSON.stringify({ error }))}\n`);
    return;
  }
  const { red, dim } = stderr.colors;
  const shownCode = code.startsWith('ERR_') ? `${printableText(code)}: ` : '';
  stderr.write(`${red('error:')} ${shownCode}${printableText(message)}\n`);
  if (hint !== undefined) stderr.write(`${dim(printableText(hint))}\n`);
}
