import { isUtf8 } from 'node:buffer';
import { PluginFileError } from '../registry/plugin-files.ts';

const BYTE_ORDER_MARK = '\uFEFF';

/** UTF-8 text without its byte order mark. What is not UTF-8 is refused with the line of the first bad byte. */
export function decodeText(bytes: Buffer, shown: string): string {
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const line = text.slice(0, text.indexOf('\uFFFD')).split('\n').length;
  throw new PluginFileError(`\`${shown}\` is not UTF-8 text.`, 'Save it in the encoding UTF-8.', line);
}
