import {
  BYTE_ORDER_MARK,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  CR,
  END,
  isDigit,
  LF,
  MINUS,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  SPACE,
  TAB,
} from './characters';
import { skipNumber } from './json-number';
import { readString, writeString } from './json-string';
import { Reader } from './reader';
import { TextBuilder } from './text-builder';

// Values are not parsed into a tree: they are checked and, where wanted, written again as they are read.
// What a converter needs of them it takes as slices of the input.

/** Far deeper than data is, far shallower than the stack. */
const MAX_DEPTH: i32 = 64;

export function skipSpace(reader: Reader): void {
  while (true) {
    const unit = reader.peek();
    if (unit !== SPACE && unit !== LF && unit !== CR && unit !== TAB) return;
    reader.at += 1;
  }
}

/** Moves to the first sign of a JSON text, over a byte order mark and white space. */
export function skipToStart(reader: Reader): void {
  reader.take(BYTE_ORDER_MARK);
  skipSpace(reader);
}

/** Checks that nothing but white space is left. */
export function expectEnd(reader: Reader): bool {
  skipSpace(reader);
  return reader.peek() === END ? true : reader.fail('Expected the end of the JSON text', reader.at);
}

/** Checks the value that starts here and leaves the reader behind it. */
export function skipValue(reader: Reader): bool {
  return transcribe(reader, null, 0, 0);
}

/** Writes the value that starts here again: compact, or with `indent` spaces a level. */
export function copyValue(reader: Reader, out: TextBuilder, indent: i32): bool {
  return transcribe(reader, out, indent, 0);
}

/** Reads an object's name and its colon, and leaves the reader at the value; null when there is a problem. */
export function readName(reader: Reader, seen: Set<string>): string | null {
  const start = reader.at;
  const name = readString(reader);
  if (name === null) return null;
  if (seen.has(name)) {
    reader.fail(`The name "${name}" stands twice in one object`, start);
    return null;
  }
  seen.add(name);
  skipSpace(reader);
  if (!reader.take(COLON)) {
    reader.fail('Expected ":" after the name', reader.at);
    return null;
  }
  skipSpace(reader);
  return name;
}

/**
 * Moves on to the next item of a list or object. `first` says that none was read yet. False at the closing
 * sign, which is stepped over, and when there is a problem (`reader.failed`).
 */
export function nextItem(reader: Reader, close: i32, first: bool): bool {
  skipSpace(reader);
  if (reader.take(close)) return false;
  if (!first) {
    if (!reader.take(COMMA)) return reader.fail(`Expected "," or "${String.fromCharCode(close)}"`, reader.at);
    skipSpace(reader);
  }
  return true;
}

function transcribe(reader: Reader, out: TextBuilder | null, indent: i32, depth: i32): bool {
  const unit = reader.peek();
  if (unit === QUOTE) {
    const text = readString(reader);
    if (text === null) return false;
    if (out !== null) writeString(out, text);
    return true;
  }
  if (unit === OPEN_OBJECT || unit === OPEN_LIST) {
    if (depth >= MAX_DEPTH) return reader.fail(`The JSON is nested more than ${MAX_DEPTH.toString()} levels deep`, reader.at);
    return transcribeItems(reader, out, indent, depth, unit);
  }
  const start = reader.at;
  if (unit === MINUS || isDigit(unit)) {
    if (!skipNumber(reader)) return reader.fail('This is not a JSON number', start);
  } else if (!skipWord(reader)) {
    return reader.fail('Expected a JSON value', start);
  }
  if (out !== null) out.text(reader.text.substring(start, reader.at));
  return true;
}

function skipWord(reader: Reader): bool {
  if (takeWord(reader, 'true')) return true;
  if (takeWord(reader, 'false')) return true;
  return takeWord(reader, 'null');
}

function takeWord(reader: Reader, word: string): bool {
  if (reader.text.substr(reader.at, word.length) !== word) return false;
  reader.at += word.length;
  return true;
}

function transcribeItems(reader: Reader, out: TextBuilder | null, indent: i32, depth: i32, open: i32): bool {
  const close = open === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST;
  const names: Set<string> | null = open === OPEN_OBJECT ? new Set<string>() : null;
  if (out !== null) out.unit(open);
  reader.at += 1;
  let first = true;
  while (nextItem(reader, close, first)) {
    if (out !== null) {
      if (!first) out.unit(COMMA);
      breakLine(out, indent, depth + 1);
    }
    first = false;
    if (names !== null) {
      const name = readName(reader, names);
      if (name === null) return false;
      if (out !== null) {
        writeString(out, name);
        out.unit(COLON);
        if (indent > 0) out.unit(SPACE);
      }
    }
    if (!transcribe(reader, out, indent, depth + 1)) return false;
  }
  if (reader.failed) return false;
  if (out !== null) {
    if (!first) breakLine(out, indent, depth);
    out.unit(close);
  }
  return true;
}

function breakLine(out: TextBuilder, indent: i32, depth: i32): void {
  if (indent === 0) return;
  out.unit(LF);
  for (let i = indent * depth; i > 0; i--) out.unit(SPACE);
}
