import { firstInexactNumber, ToolCallError } from '@yuanbot/contract';
import { canonicalJson } from '@yuanbot/kit/canonical';
import type { ErrorObject } from 'ajv';
import { type Locale, say } from '../messages/catalogue.ts';
import { jsonDepth } from './json-depth.ts';
import type { SchemaValidator } from './schema-validator.ts';

/** Deeper than any tool's parameters, shallow enough for every recursive walk over them. */
const MAX_DEPTH = 64;

/** Problems named in one answer; a model mends the first ones and tries again. */
const MAX_PROBLEMS = 20;

/** Whether a text is small and shallow enough to be parsed and walked. */
export function isParsable(paramsJson: string, maxBytes: number): boolean {
  return Buffer.byteLength(paramsJson) <= maxBytes && jsonDepth(paramsJson) <= MAX_DEPTH;
}

/**
 * Turns the parameters a model wrote into the canonical JSON (RFC 8785) that is approved, signed for and run: parsed,
 * validated, defaults filled in. Throws ERR_PARAMS_INVALID naming every problem at once, each with its JSON pointer
 * (RFC 6901).
 */
export function canonicalParameters(paramsJson: string, validate: SchemaValidator, maxBytes: number, locale: Locale): string {
  const value = parseObject(paramsJson === '' ? '{}' : paramsJson, maxBytes, locale);
  const errors = validate(value);
  if (errors.length > 0) throw invalid(say(locale, 'paramsInvalid', { problems: describeProblems(errors, locale) }));
  try {
    return canonicalJson(value);
  } catch (error) {
    throw invalid(say(locale, 'paramsIllFormedText'), error);
  }
}

function parseObject(text: string, maxBytes: number, locale: Locale): Record<string, unknown> {
  const size = Buffer.byteLength(text);
  if (size > maxBytes) throw invalid(say(locale, 'paramsTooLarge', { size: String(size), limit: String(maxBytes) }));
  if (jsonDepth(text) > MAX_DEPTH) throw invalid(say(locale, 'paramsTooDeep', { limit: String(MAX_DEPTH) }));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(say(locale, 'paramsNoJson', { detail: error instanceof Error ? error.message : '' }), error);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(say(locale, 'paramsNoObject'));
  const inexact = firstInexactNumber(text);
  if (inexact !== undefined) throw invalid(say(locale, 'paramsInexactNumber', { number: inexact }));
  return value as Record<string, unknown>;
}

function describeProblems(errors: readonly ErrorObject[], locale: Locale): string {
  const problems = [...new Set(errors.map((error) => describeProblem(error, locale)))];
  const named = problems.slice(0, MAX_PROBLEMS);
  const more = problems.length - named.length;
  if (more > 0) named.push(say(locale, 'problemMore', { count: String(more) }));
  return named.join(locale === 'zh' ? '；' : '; ');
}

function describeProblem({ keyword, instancePath, params, message }: ErrorObject, locale: Locale): string {
  const at = (property: unknown) => `${instancePath}/${String(property).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const pointer = instancePath === '' ? '/' : instancePath;
  switch (keyword) {
    case 'required':
      return say(locale, 'problemRequired', { pointer: at(params['missingProperty']) });
    case 'additionalProperties':
      return say(locale, 'problemUnknown', { pointer: at(params['additionalProperty']) });
    case 'unevaluatedProperties':
      return say(locale, 'problemUnknown', { pointer: at(params['unevaluatedProperty']) });
    case 'type':
      return say(locale, 'problemType', { pointer, type: [params['type']].flat().join(' | ') });
    case 'enum':
      return say(locale, 'problemEnum', { pointer, values: JSON.stringify(params['allowedValues']) });
    default:
      return say(locale, 'problemOther', { pointer, detail: message ?? keyword });
  }
}

function invalid(message: string, cause?: unknown): ToolCallError {
  return new ToolCallError('ERR_PARAMS_INVALID', message, { cause });
}
