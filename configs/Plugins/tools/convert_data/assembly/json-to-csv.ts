import { CLOSE_LIST, CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT, QUOTE } from './characters';
import { Conversion } from './conversion';
import { CsvWriter } from './csv-writer';
import { readString } from './json-string';
import { copyValue, expectEnd, nextItem, readName, skipToStart, skipValue } from './json-value';
import { Reader } from './reader';
import { Request } from './request';
import { TextBuilder } from './text-builder';

/**
 * A list of objects (columns: all their names, in the order they first appear) or of lists to CSV. What a
 * row lacks, and null, is an empty field; a nested value is its JSON text. The input is read twice: for
 * the columns, then for the rows.
 */
export function jsonToCsv(reader: Reader, request: Request): Conversion {
  const conversion = new Conversion();
  const columns = new Columns();
  const start = reader.at;
  if (!columns.collect(reader)) return conversion;
  reader.at = start;
  conversion.columns = columns.count;
  conversion.rows = columns.rows;
  const writer = new CsvWriter(conversion.out, request.outputDelimiter);
  if (request.header && columns.ofObjects) writeHeader(writer, columns);
  writeRows(reader, columns, writer, conversion.out);
  return conversion;
}

/** What the first reading finds out. */
class Columns {
  /** Column numbers by name, in the order of the names; empty when the rows are lists. */
  readonly byName: Map<string, i32> = new Map<string, i32>();
  ofObjects: bool = false;
  count: i32 = 0;
  rows: i32 = 0;

  collect(reader: Reader): bool {
    skipToStart(reader);
    const start = reader.at;
    if (!reader.take(OPEN_LIST)) return reader.fail('Expected a list of objects or a list of lists', start);
    for (; nextItem(reader, CLOSE_LIST, this.rows === 0); this.rows += 1) {
      if (!this.collectRow(reader)) return false;
    }
    if (reader.failed || !expectEnd(reader)) return false;
    if (this.rows > 0 && this.count === 0) return reader.fail('No row has a value, so there is no column', start);
    return true;
  }

  private collectRow(reader: Reader): bool {
    const unit = reader.peek();
    if (this.rows === 0) this.ofObjects = unit === OPEN_OBJECT;
    if (unit !== (this.ofObjects ? OPEN_OBJECT : OPEN_LIST)) {
      return reader.fail('Every row must be an object, or every row a list', reader.at);
    }
    reader.at += 1;
    return this.ofObjects ? this.collectNames(reader) : this.countItems(reader);
  }

  private collectNames(reader: Reader): bool {
    const names = new Set<string>();
    for (let first = true; nextItem(reader, CLOSE_OBJECT, first); first = false) {
      const name = readName(reader, names);
      if (name === null || !skipValue(reader)) return false;
      if (this.byName.has(name)) continue;
      this.byName.set(name, this.count);
      this.count += 1;
    }
    return !reader.failed;
  }

  private countItems(reader: Reader): bool {
    let items = 0;
    for (; nextItem(reader, CLOSE_LIST, items === 0); items += 1) {
      if (!skipValue(reader)) return false;
    }
    this.count = max(this.count, items);
    return !reader.failed;
  }
}

function writeHeader(writer: CsvWriter, columns: Columns): void {
  const names = columns.byName.keys();
  for (let i = 0; i < names.length; i++) writer.textField(names[i]);
  writer.endRow(false);
}

/** The second reading. Everything was checked by the first, so nothing can fail here but the length of the output. */
function writeRows(reader: Reader, columns: Columns, writer: CsvWriter, out: TextBuilder): void {
  const places = new StaticArray<i32>(columns.count);
  skipToStart(reader);
  reader.at += 1;
  for (let first = true; !out.full && nextItem(reader, CLOSE_LIST, first); first = false) {
    locateValues(reader, columns, places);
    const end = reader.at;
    let empty = true;
    for (let i = 0; i < columns.count; i++) empty = writeField(reader, places[i], writer);
    writer.endRow(empty);
    reader.at = end;
  }
}

/** Notes where the value of each column starts in the row that comes next; 0 where the row has none. */
function locateValues(reader: Reader, columns: Columns, places: StaticArray<i32>): void {
  memory.fill(changetype<usize>(places), 0, (<usize>places.length) << 2);
  const close = columns.ofObjects ? CLOSE_OBJECT : CLOSE_LIST;
  const names = new Set<string>();
  reader.at += 1;
  for (let item = 0; nextItem(reader, close, item === 0); item += 1) {
    let column = item;
    if (columns.ofObjects) {
      const name = readName(reader, names);
      if (name !== null) column = columns.byName.get(name);
    }
    places[column] = reader.at;
    skipValue(reader);
  }
}

/** True when the field is bare and empty. */
function writeField(reader: Reader, at: i32, writer: CsvWriter): bool {
  reader.at = at;
  if (at === 0 || reader.text.substr(at, 4) === 'null') {
    writer.bareField('');
    return true;
  }
  const unit = reader.peek();
  if (unit === QUOTE) {
    const text = readString(reader);
    if (text !== null) writer.textField(text);
    return false;
  }
  const value = new TextBuilder();
  copyValue(reader, value, 0);
  if (unit === OPEN_OBJECT || unit === OPEN_LIST) writer.textField(value.toString());
  else writer.bareField(value.toString());
  return false;
}
