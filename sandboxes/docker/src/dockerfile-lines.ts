import { buildRefusal, quoted } from './build-refusal.ts';

/** One instruction of a Dockerfile, on one line. */
export interface Instruction {
  /** In capitals, one of INSTRUCTIONS. */
  readonly word: string;
  /** What follows the word and the blanks after it. */
  readonly rest: string;
}

const INSTRUCTIONS = new Set(
  'ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER ONBUILD RUN SHELL STOPSIGNAL USER VOLUME WORKDIR'.split(
    ' ',
  ),
);

/** Four times what the engine takes for one line: no Dockerfile that people wrote is longer. */
const MAX_DOCKERFILE_CHARS = 262_144;
/** Each may add a layer as large as the whole context to the engine's disk. */
const MAX_INSTRUCTIONS = 128;

/**
 * Reads a Dockerfile as the classic builder does: a backslash with nothing but spaces and tabs behind it goes
 * on in the next line, past comments and blank lines. What releases of the builder read in different ways, or
 * this reading does not know, is refused with ERR_SANDBOX_START and never guessed.
 */
export function readInstructions(dockerfile: string): Instruction[] {
  if (dockerfile.length > MAX_DOCKERFILE_CHARS) {
    throw buildRefusal(`the Dockerfile has more than ${MAX_DOCKERFILE_CHARS} characters`);
  }
  const instructions = joinedLines(dockerfile).map(readInstruction);
  if (instructions.length > MAX_INSTRUCTIONS) {
    throw buildRefusal(`the Dockerfile has more than ${MAX_INSTRUCTIONS} instructions; join the RUN steps`);
  }
  return instructions;
}

/** Reads one joined line. */
export function readInstruction(line: string): Instruction {
  // A carriage return or a form feed is a blank to some releases, and none to others.
  if (/[^\P{Cc}\t]/u.test(line)) throw buildRefusal(`${quoted(line)} has a control character`);
  const [, word = '', rest = ''] = /^([A-Za-z]+)(?:[ \t]+(.*))?$/s.exec(line.replace(/^[ \t]+|[ \t]+$/g, '')) ?? [];
  const known = word.toUpperCase();
  if (!INSTRUCTIONS.has(known)) throw buildRefusal(`${quoted(line)} is not an instruction of a Dockerfile`);
  return { word: known, rest };
}

/** Exactly the classic builder's rule. */
const CONTINUATION = /\\[ \t]*$/;
/** A backslash that is last for a reader who takes every kind of blank away, or counts a doubled one as an escaped one. */
const STRAY_BACKSLASH = /\\\p{White_Space}*$/u;
const LEADING_BLANKS = /^\p{White_Space}+/u;
/** Another escape character makes other lines of the same text. */
const OTHER_ESCAPE = /^#\s*escape\s*=\s*(?!\\\s*$)/i;

function joinedLines(dockerfile: string): string[] {
  const joined: string[] = [];
  let open: string | undefined;
  for (const line of dockerfile.split('\n').map((ended) => ended.replace(/\r$/, ''))) {
    const shown = line.replace(LEADING_BLANKS, '');
    if (OTHER_ESCAPE.test(shown)) throw buildRefusal('the Dockerfile must use the escape character `\\`');
    if (shown === '' || shown.startsWith('#')) continue;
    const part = open === undefined ? shown : line;
    const text = part.replace(CONTINUATION, '');
    if (STRAY_BACKSLASH.test(text)) {
      throw buildRefusal(`${quoted(line)} must end in one backslash, with only spaces behind it, or in none`);
    }
    open = (open ?? '') + text;
    if (text === part) {
      joined.push(open);
      open = undefined;
    }
  }
  if (open !== undefined) joined.push(open);
  return joined.filter((line) => line.replace(LEADING_BLANKS, '') !== '');
}
