import { Conversion } from './conversion';
import { csvToCsv } from './csv-to-csv';
import { csvToJson } from './csv-to-json';
import { jsonToCsv } from './json-to-csv';
import { jsonToJson } from './json-to-json';
import { Reader } from './reader';
import { Request } from './request';

/** Converts the request's input; a problem is left in `reader`, which reads that input. */
export function convert(reader: Reader, request: Request): Conversion {
  if (request.fromJson) return request.toJson ? jsonToJson(reader, request) : jsonToCsv(reader, request);
  return request.toJson ? csvToJson(reader, request) : csvToCsv(reader, request);
}
