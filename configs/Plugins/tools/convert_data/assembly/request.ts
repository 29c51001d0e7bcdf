import { CLOSE_OBJECT, OPEN_OBJECT } from './characters';
import { readString } from './json-string';
import { nextItem, readName, skipSpace, skipValue } from './json-value';
import { Reader } from './reader';

/** What the tool is asked for: the `params` of the envelope, with the defaults of convert_data.schema.json. */
export class Request {
  input: string = '';
  fromJson: bool = false;
  toJson: bool = false;
  delimiter: i32 = 0x2c;
  outputDelimiter: i32 = 0x2c;
  header: bool = true;
  inferTypes: bool = false;
  indent: i32 = 0;
}

/** Reads the envelope line of the tool protocol; a problem is left in the reader. */
export function readRequest(reader: Reader): Request {
  const request = new Request();
  skipSpace(reader);
  if (!openObject(reader)) return request;
  const names = new Set<string>();
  for (let first = true; nextItem(reader, CLOSE_OBJECT, first); first = false) {
    const name = readName(reader, names);
    if (name === null) return request;
    if (name === 'params') readParams(reader, request);
    else skipValue(reader);
    if (reader.failed) return request;
  }
  return request;
}

function openObject(reader: Reader): bool {
  return reader.take(OPEN_OBJECT) ? true : reader.fail('Expected an object', reader.at);
}

function readParams(reader: Reader, request: Request): void {
  if (!openObject(reader)) return;
  const names = new Set<string>();
  let outputDelimiterGiven = false;
  for (let first = true; nextItem(reader, CLOSE_OBJECT, first); first = false) {
    const name = readName(reader, names);
    if (name === null) return;
    const start = reader.at;
    if (name === 'header') {
      if (!skipValue(reader)) return;
      request.header = reader.text.substring(start, reader.at) === 'true';
    } else if (name === 'indent') {
      if (!skipValue(reader)) return;
      request.indent = I32.parseInt(reader.text.substring(start, reader.at));
    } else {
      const value = readString(reader);
      if (value === null) return;
      if (name === 'output_delimiter') outputDelimiterGiven = true;
      keepText(request, name, value);
    }
  }
  if (!outputDelimiterGiven) request.outputDelimiter = request.delimiter;
}

function keepText(request: Request, name: string, value: string): void {
  if (name === 'input') request.input = value;
  else if (name === 'from') request.fromJson = value === 'json';
  else if (name === 'to') request.toJson = value === 'json';
  else if (name === 'delimiter') request.delimiter = value.charCodeAt(0);
  else if (name === 'output_delimiter') request.outputDelimiter = value.charCodeAt(0);
  else if (name === 'types') request.inferTypes = value === 'infer';
}
