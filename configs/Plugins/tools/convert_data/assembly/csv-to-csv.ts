import { Conversion } from './conversion';
import { CsvReader } from './csv-reader';
import { CsvWriter } from './csv-writer';
import { Reader } from './reader';
import { Request } from './request';

/** CSV in its regular form: checked, CRLF line ends, no byte order mark, quotes only where they mean something. */
export function csvToCsv(reader: Reader, request: Request): Conversion {
  const conversion = new Conversion();
  const csv = new CsvReader(reader, request.delimiter);
  const writer = new CsvWriter(conversion.out, request.outputDelimiter);
  let lines = 0;
  while (!conversion.out.full && csv.nextRow()) {
    if (conversion.columns === 0) conversion.columns = csv.fields.length;
    if (!csv.expectWidth(conversion.columns)) break;
    for (let i = 0; i < csv.fields.length; i++) {
      if (csv.quoted[i]) writer.textField(csv.fields[i]);
      else writer.bareField(csv.fields[i]);
    }
    writer.endRow(false);
    lines += 1;
  }
  conversion.rows = request.header && lines > 0 ? lines - 1 : lines;
  return conversion;
}
