import { Conversion } from './conversion';
import { copyValue, expectEnd, skipToStart } from './json-value';
import { Reader } from './reader';
import { Request } from './request';

/** JSON checked and written again: compact or indented, numbers as they were. */
export function jsonToJson(reader: Reader, request: Request): Conversion {
  const conversion = new Conversion();
  conversion.hasTable = false;
  skipToStart(reader);
  if (copyValue(reader, conversion.out, request.indent)) expectEnd(reader);
  return conversion;
}
