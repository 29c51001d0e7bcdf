import { END, isDigit, LOWER_E, MINUS, PLUS, POINT, ZERO } from './characters';
import { Reader } from './reader';

/**
 * Steps over a number (RFC 8259 §6) and leaves the reader behind it. Numbers are never computed with: the
 * caller copies the text, so that 12345678901234567890 and 1.10 stay what they are. False: none is here.
 */
export function skipNumber(reader: Reader): bool {
  reader.take(MINUS);
  if (!reader.take(ZERO) && !skipDigits(reader)) return false;
  if (reader.take(POINT) && !skipDigits(reader)) return false;
  // `| 0x20` makes a letter lower case; END has every bit set and stays END.
  if ((reader.peek() | 0x20) !== LOWER_E) return true;
  reader.at += 1;
  if (!reader.take(PLUS)) reader.take(MINUS);
  return skipDigits(reader);
}

/** Whether the whole text is one JSON number: 007, +1 and 1. are not, so identifiers stay text. */
export function isNumber(text: string): bool {
  const reader = new Reader(text);
  return skipNumber(reader) && reader.peek() === END;
}

function skipDigits(reader: Reader): bool {
  const start = reader.at;
  while (isDigit(reader.peek())) reader.at += 1;
  return reader.at > start;
}
