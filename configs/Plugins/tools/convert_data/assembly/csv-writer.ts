import { BYTE_ORDER_MARK, CR, LF, QUOTE } from './characters';
import { isBareScalar } from './scalar';
import { TextBuilder } from './text-builder';

/**
 * Writes CSV (RFC 4180, lines end with CRLF). Text that would read as something else (a number, true, false,
 * nothing) is quoted, so that reading it with inferred types gives back what was written.
 */
export class CsvWriter {
  private readonly out: TextBuilder;
  private readonly delimiter: i32;
  private fields: i32 = 0;

  constructor(out: TextBuilder, delimiter: i32) {
    this.out = out;
    this.delimiter = delimiter;
  }

  textField(text: string): void {
    this.separate();
    if (text.length === 0 || isBareScalar(text) || this.needsQuotes(text)) this.writeQuoted(text);
    else this.out.text(text);
  }

  /** A number, true, false, or nothing at all. */
  bareField(text: string): void {
    this.separate();
    if (this.needsQuotes(text)) this.writeQuoted(text);
    else this.out.text(text);
  }

  /** `lastIsEmpty`: the last field was bare and empty; a row of only that would be an empty line, which is no row. */
  endRow(lastIsEmpty: bool): void {
    if (this.fields === 1 && lastIsEmpty) this.writeQuoted('');
    this.out.unit(CR);
    this.out.unit(LF);
    this.fields = 0;
  }

  private separate(): void {
    if (this.fields > 0) this.out.unit(this.delimiter);
    this.fields += 1;
  }

  private needsQuotes(text: string): bool {
    for (let i = 0; i < text.length; i++) {
      const unit: i32 = text.charCodeAt(i);
      if (unit === this.delimiter || unit === QUOTE || unit === CR || unit === LF || unit === BYTE_ORDER_MARK) return true;
    }
    return false;
  }

  private writeQuoted(text: string): void {
    this.out.unit(QUOTE);
    let from = 0;
    for (let i = 0; i < text.length; i++) {
      if (text.charCodeAt(i) !== QUOTE) continue;
      this.out.text(text.substring(from, i + 1));
      this.out.unit(QUOTE);
      from = i + 1;
    }
    this.out.text(text.substring(from));
    this.out.unit(QUOTE);
  }
}
