import { firstInexactNumber } from '@yuanbot/contract';
import { isRecord, PROTOTYPE_KEY, type ReadDocument, showKey, showPath, treeFault, type ValuePath } from './document.ts';
import { createJsonMap, type JsonMap } from './json-map.ts';
import type { Problem } from './model.ts';

/**
 * Reads one JSON file whose top level is an object. Refused rather than guessed at: repeated keys, numbers that a double
 * cannot hold, `__proto__`, deep nesting. Never throws.
 */
export function readJson(text: string, file: string): ReadDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return broken(syntaxProblem(text, file, error));
  }
  let map: JsonMap | undefined;
  const mapOfText = (): JsonMap => {
    map ??= createJsonMap(text);
    return map;
  };
  const lineOf = (path: ValuePath): number => mapOfText().lineOf(path);
  const refuse = (line: number, message: string, mend: string) => broken({ severity: 'error', file, line, message, mend });

  const fault = treeFault(value, PROTOTYPE_KEY);
  if (fault !== undefined) return refuse(lineOf(fault.path), fault.message, fault.mend);
  if (!isRecord(value)) return refuse(1, 'The file is not a JSON object.', 'Begin it with `{` and end it with `}`.');
  // Only a text with more keys than its value has some of them twice; the map that tells which is dear.
  const repeated = countWrittenKeys(text) === countKeys(value) ? undefined : mapOfText().repeatedKeys[0];
  if (repeated !== undefined) {
    return refuse(repeated.line, `The key \`${showPath(repeated.path)}\` is there twice.`, 'Keep one of the two.');
  }
  const inexact = firstInexactNumber(text);
  if (inexact !== undefined) {
    const line = lineNumber(text, text.indexOf(inexact));
    return refuse(
      line,
      `The number ${showKey(inexact)} is too large to be held exactly.`,
      'Put it in quotes, or use a smaller number.',
    );
  }
  return { document: { file, value, lineOf }, problems: [] };
}

function broken(problem: Problem): ReadDocument {
  return { document: undefined, problems: [problem], partial: {} };
}

function syntaxProblem(text: string, file: string, error: unknown): Problem {
  const said = error instanceof Error ? error.message : String(error);
  const position = /at position (\d+)/.exec(said)?.[1];
  const line = position === undefined ? lineNumber(text, text.trimEnd().length) : lineNumber(text, Number(position));
  const reason = said.replace(/ in JSON at position .*/s, '').replace(/, (?:"|\.\.\.).* is not valid JSON$/s, '');
  return {
    severity: 'error',
    file,
    line,
    message: `The JSON is not valid: ${reason}.`,
    mend: 'Mend the JSON at this line: no comments, no comma after the last item, double quotes around every key and text.',
  };
}

function lineNumber(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** A string, and the colon after it where it is a key. */
const STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/gs;

function countWrittenKeys(text: string): number {
  let keys = 0;
  for (const [, colon] of text.matchAll(STRING)) if (colon !== undefined) keys++;
  return keys;
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const children = Object.values(value);
  return children.reduce<number>((sum, child) => sum + countKeys(child), Array.isArray(value) ? 0 : children.length);
}
