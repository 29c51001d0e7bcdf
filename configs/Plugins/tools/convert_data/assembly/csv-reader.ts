import { BYTE_ORDER_MARK, CR, END, LF, QUOTE } from './characters';
import { Reader } from './reader';
import { TextBuilder } from './text-builder';

/** Reads CSV (RFC 4180) row by row. Lines end with CRLF, LF or CR; empty lines are no rows. */
export class CsvReader {
  /** The fields of the row that was read last, and which of them stood in quotes. */
  fields: Array<string> = [] as string[];
  quoted: Array<bool> = [] as bool[];
  /** Where that row starts in the text. */
  rowAt: i32 = 0;
  private readonly reader: Reader;
  private readonly delimiter: i32;

  constructor(reader: Reader, delimiter: i32) {
    this.reader = reader;
    this.delimiter = delimiter;
    reader.take(BYTE_ORDER_MARK);
  }

  /** False at the end, and when there is a problem (`reader.failed`). */
  nextRow(): bool {
    while (this.takeLineEnd()) {}
    if (this.reader.peek() === END) return false;
    this.rowAt = this.reader.at;
    this.fields = [] as string[];
    this.quoted = [] as bool[];
    do {
      if (!(this.reader.peek() === QUOTE ? this.readQuoted() : this.readPlain())) return false;
    } while (this.reader.take(this.delimiter));
    if (this.reader.peek() !== END && !this.takeLineEnd()) {
      return this.reader.fail(
        'After a closing quote only a delimiter or a line end may come; inside, write "" for a quote',
        this.reader.at,
      );
    }
    return true;
  }

  /** Every row must be as wide as the first: a shorter or longer one has its values under the wrong names. */
  expectWidth(width: i32): bool {
    const found = this.fields.length;
    if (found === width) return true;
    return this.reader.fail(`This row has ${found.toString()} field(s), the first row has ${width.toString()}`, this.rowAt);
  }

  private readPlain(): bool {
    const start = this.reader.at;
    while (true) {
      const unit = this.reader.peek();
      if (unit === this.delimiter || unit === LF || unit === CR || unit === END) break;
      if (unit === QUOTE) {
        return this.reader.fail('A field with a quote inside must itself be quoted, with "" for each quote', this.reader.at);
      }
      this.reader.at += 1;
    }
    this.keep(this.reader.text.substring(start, this.reader.at), false);
    return true;
  }

  private readQuoted(): bool {
    const open = this.reader.at;
    let built: TextBuilder | null = null;
    while (true) {
      this.reader.at += 1;
      const start = this.reader.at;
      for (let unit = this.reader.peek(); unit !== QUOTE; unit = this.reader.peek()) {
        if (unit === END) return this.reader.fail('This quoted field is never closed', open);
        this.reader.at += 1;
      }
      const plain = this.reader.text.substring(start, this.reader.at);
      this.reader.at += 1;
      const doubled = this.reader.peek() === QUOTE;
      if (built === null) {
        if (!doubled) {
          this.keep(plain, true);
          return true;
        }
        built = new TextBuilder();
      }
      built.text(plain);
      if (!doubled) {
        this.keep(built.toString(), true);
        return true;
      }
      built.unit(QUOTE);
    }
  }

  private keep(text: string, quoted: bool): void {
    this.fields.push(text);
    this.quoted.push(quoted);
  }

  /** One sign is enough: what is left of a CRLF is an empty line. */
  private takeLineEnd(): bool {
    return this.reader.take(CR) || this.reader.take(LF);
  }
}
