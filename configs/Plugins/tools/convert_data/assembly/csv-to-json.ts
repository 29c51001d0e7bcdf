import { CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, OPEN_LIST, OPEN_OBJECT } from './characters';
import { Conversion } from './conversion';
import { CsvReader } from './csv-reader';
import { writeString } from './json-string';
import { copyValue } from './json-value';
import { Reader } from './reader';
import { Request } from './request';
import { isBareScalar } from './scalar';
import { TextBuilder } from './text-builder';

/** CSV to a list of objects named by the header, or of lists when there is none. */
export function csvToJson(reader: Reader, request: Request): Conversion {
  const compact = request.indent === 0;
  const conversion = new Conversion();
  const out = compact ? conversion.out : new TextBuilder();
  writeRows(new CsvReader(reader, request.delimiter), reader, request, conversion, out);
  if (!compact && !reader.failed && !out.full) copyValue(new Reader(out.toString()), conversion.out, request.indent);
  if (out.full) conversion.out.full = true;
  return conversion;
}

function writeRows(csv: CsvReader, reader: Reader, request: Request, conversion: Conversion, out: TextBuilder): void {
  let names: Array<string> | null = null;
  out.unit(OPEN_LIST);
  while (csv.nextRow()) {
    if (conversion.columns === 0) conversion.columns = csv.fields.length;
    if (!csv.expectWidth(conversion.columns)) return;
    if (request.header && names === null) {
      names = csv.fields;
      if (!expectDistinct(reader, names)) return;
      continue;
    }
    if (conversion.rows > 0) out.unit(COMMA);
    writeRow(out, csv, names, request.inferTypes);
    if (out.full) return;
    conversion.rows += 1;
  }
  out.unit(CLOSE_LIST);
}

function expectDistinct(reader: Reader, names: Array<string>): bool {
  const seen = new Set<string>();
  for (let i = 0; i < names.length; i++) {
    if (seen.has(names[i])) {
      return reader.fail(`The header names "${names[i]}" twice; rename one, or read the file with header false`, 0);
    }
    seen.add(names[i]);
  }
  return true;
}

function writeRow(out: TextBuilder, csv: CsvReader, names: Array<string> | null, inferTypes: bool): void {
  out.unit(names === null ? OPEN_LIST : OPEN_OBJECT);
  for (let i = 0; i < csv.fields.length; i++) {
    if (i > 0) out.unit(COMMA);
    if (names !== null) {
      writeString(out, names[i]);
      out.unit(COLON);
    }
    const field = csv.fields[i];
    if (!inferTypes || csv.quoted[i]) writeString(out, field);
    else if (field.length === 0) out.text('null');
    else if (isBareScalar(field)) out.text(field);
    else writeString(out, field);
  }
  out.unit(names === null ? CLOSE_LIST : CLOSE_OBJECT);
}
