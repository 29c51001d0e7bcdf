/** The end of a stream of text, in bounded memory. */
export interface TextTail {
  add(text: string): void;
  text(): string;
}

/** @param maxLength of what is kept, in UTF-16 units */
export function createTextTail(maxLength: number): TextTail {
  let kept = '';
  return {
    add(text) {
      kept = (kept + text).slice(-maxLength);
    },
    text: () => kept,
  };
}
