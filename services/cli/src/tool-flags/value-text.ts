import { parseKeepingNumbers } from '@yuanbot/contract';
import { InvalidArgumentError } from 'commander';
import type { ScalarForm, ValueForm } from './parameter.ts';

/**
 * The JSON value that one argument says. A number stays as it was written, however long. Throws commander's
 * `InvalidArgumentError`, whose message says what to write.
 */
export function parseValue(text: string, form: Exclude<ValueForm, { form: 'switch' | 'list' }>): unknown {
  if (form.form !== 'json') return parseScalar(text, form);
  try {
    return parseKeepingNumbers(text);
  } catch {
    throw new InvalidArgumentError('Write JSON, in quotes for the shell.');
  }
}

/** The number grammar of JSON (RFC 8259 §6). */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WHOLE_NUMBER = /^-?(?:0|[1-9]\d*)$/;

export function parseScalar(text: string, form: ScalarForm): unknown {
  switch (form.form) {
    case 'text':
      return text;
    case 'number':
      if (!(form.whole ? WHOLE_NUMBER : NUMBER).test(text)) {
        throw new InvalidArgumentError(form.whole ? 'Write a whole number.' : 'Write a number.');
      }
      return parseKeepingNumbers(text);
    case 'choice': {
      const at = form.choices.map(choiceText).indexOf(text);
      if (at < 0) throw new InvalidArgumentError(`Allowed choices are ${form.choices.map(choiceText).join(', ')}.`);
      return form.choices[at];
    }
  }
}

/** How a value is written as an argument. */
export function choiceText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What help shows in the place of a value. */
export function placeholder(value: ValueForm): string {
  switch (value.form) {
    case 'text':
      return 'string';
    case 'number':
      return value.whole ? 'integer' : 'number';
    case 'choice':
      return 'choice';
    case 'list':
      return placeholder(value.item);
    case 'json':
      return 'json';
    case 'switch':
      return '';
  }
}
