import {
  BACKSLASH,
  BACKSPACE,
  CR,
  END,
  FORM_FEED,
  isHighSurrogate,
  isLowSurrogate,
  LF,
  LOWER_B,
  LOWER_F,
  LOWER_N,
  LOWER_R,
  LOWER_T,
  LOWER_U,
  QUOTE,
  SLASH,
  SPACE,
  TAB,
} from './characters';
import { Reader } from './reader';
import { TextBuilder } from './text-builder';

const HEX_DIGITS = '0123456789abcdef';

/** The value of the JSON string (RFC 8259 §7) that starts at the reader's place; null when there is a problem. */
export function readString(reader: Reader): string | null {
  const open = reader.at;
  if (!reader.take(QUOTE)) {
    reader.fail('Expected a text in double quotes', open);
    return null;
  }
  let built: TextBuilder | null = null;
  let plainFrom = reader.at;
  while (true) {
    const unit = reader.peek();
    if (unit === QUOTE) {
      const plain = reader.text.substring(plainFrom, reader.at);
      reader.at += 1;
      if (built === null) return plain;
      built.text(plain);
      return built.toString();
    }
    if (unit === BACKSLASH) {
      if (built === null) built = new TextBuilder();
      built.text(reader.text.substring(plainFrom, reader.at));
      if (!readEscape(reader, built)) return null;
      plainFrom = reader.at;
    } else if (unit === END) {
      reader.fail('This text is never closed with a double quote', open);
      return null;
    } else if (unit < SPACE) {
      reader.fail('A line break or other control character inside a text must be written as an escape such as \\n', reader.at);
      return null;
    } else {
      reader.at += 1;
    }
  }
}

function readEscape(reader: Reader, out: TextBuilder): bool {
  const start = reader.at;
  reader.at += 1;
  const letter = reader.peek();
  if (letter === LOWER_U) return readUnicodeEscape(reader, out, start);
  const unit = escapedUnit(letter);
  if (unit === END)
    return reader.fail('A backslash must start one of the escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX', start);
  out.unit(unit);
  reader.at += 1;
  return true;
}

function escapedUnit(letter: i32): i32 {
  if (letter === QUOTE || letter === BACKSLASH || letter === SLASH) return letter;
  if (letter === LOWER_B) return BACKSPACE;
  if (letter === LOWER_F) return FORM_FEED;
  if (letter === LOWER_N) return LF;
  if (letter === LOWER_R) return CR;
  if (letter === LOWER_T) return TAB;
  return END;
}

/** A character outside the basic plane is two escapes; half of one is no character and cannot be kept. */
function readUnicodeEscape(reader: Reader, out: TextBuilder, start: i32): bool {
  const unit = readHex(reader);
  if (unit < 0) return reader.fail('\\u must be followed by four hexadecimal digits', start);
  out.unit(unit);
  if (isLowSurrogate(unit)) return reader.fail('This \\u escape is the second half of a character without the first', start);
  if (!isHighSurrogate(unit)) return true;
  const paired = reader.take(BACKSLASH) && reader.peek() === LOWER_U;
  const low = paired ? readHex(reader) : END;
  if (!isLowSurrogate(low) || low < 0) {
    return reader.fail('This \\u escape is the first half of a character without the second', start);
  }
  out.unit(low);
  return true;
}

/** Reads `uXXXX`; END when it is not that. */
function readHex(reader: Reader): i32 {
  reader.at += 1;
  let value: i32 = 0;
  for (let i = 0; i < 4; i++) {
    const digit = hexValue(reader.peek());
    if (digit < 0) return END;
    value = (value << 4) | digit;
    reader.at += 1;
  }
  return value;
}

function hexValue(unit: i32): i32 {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : END;
}

/** Writes `text` as a JSON string with the fewest escapes. */
export function writeString(out: TextBuilder, text: string): void {
  out.unit(QUOTE);
  let plainFrom = 0;
  for (let i = 0; i < text.length; i++) {
    const unit: i32 = text.charCodeAt(i);
    if (unit >= SPACE && unit !== QUOTE && unit !== BACKSLASH) continue;
    out.text(text.substring(plainFrom, i));
    plainFrom = i + 1;
    writeEscape(out, unit);
  }
  out.text(plainFrom === 0 ? text : text.substring(plainFrom));
  out.unit(QUOTE);
}

function writeEscape(out: TextBuilder, unit: i32): void {
  out.unit(BACKSLASH);
  if (unit === QUOTE || unit === BACKSLASH) out.unit(unit);
  else if (unit === BACKSPACE) out.unit(LOWER_B);
  else if (unit === FORM_FEED) out.unit(LOWER_F);
  else if (unit === LF) out.unit(LOWER_N);
  else if (unit === CR) out.unit(LOWER_R);
  else if (unit === TAB) out.unit(LOWER_T);
  else {
    out.text('u00');
    out.unit(HEX_DIGITS.charCodeAt(unit >> 4));
    out.unit(HEX_DIGITS.charCodeAt(unit & 0xf));
  }
}
