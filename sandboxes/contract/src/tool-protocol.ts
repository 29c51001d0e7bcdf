import { ToolCallError } from './errors.ts';
import { parseKeepingNumbers } from './json-numbers.ts';
import { quoted, toolMessage } from './quoted-text.ts';

/**
 * The protocol between the platform and a tool's code (seeds 001 and 002): one JSON line in, one
 * JSON line out. No I/O here: drivers bring the lines.
 */

/** What the tool is told about its call (seed 001 §3, the stdin envelope). */
export interface ToolCall {
  /** A JSON object, canonical (RFC 8785) and validated. Kept as text: numbers stay what they were. */
  readonly paramsJson: string;
  readonly approved: boolean;
  readonly userId: string;
  readonly invocationId: string;
}

export interface HttpStep {
  readonly type: 'http';
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** What the request is for, in words a person understands. */
  readonly desc?: string;
}

export interface DbStep {
  readonly type: 'db';
  readonly operation: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface MailStep {
  readonly type: 'mail';
  readonly operation: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export type Step = HttpStep | DbStep | MailStep;

/** The answer to a step, and the envelope field it comes back in. */
export interface StepAnswer {
  readonly field: 'response' | 'db_response';
  /** JSON text. */
  readonly json: string;
}

/** A non-text part of a result: an image, audio, a file. */
export interface Part {
  readonly mediaType: string;
  /** base64; empty when `uri` is set. */
  readonly data: string;
  readonly uri: string;
  readonly name: string;
}

export interface ToolResult {
  readonly type: 'result';
  readonly contentJson: string;
  readonly parts: readonly Part[];
}

export type ToolMessage = ToolResult | Step;

/** The line a tool reads on stdin, without its newline. */
export function envelopeLine(call: ToolCall, answer?: StepAnswer): string {
  const tail = answer === undefined ? '' : `,${JSON.stringify(answer.field)}:${answer.json}`;
  return (
    `{"params":${call.paramsJson},"approved":${call.approved},"user_id":${JSON.stringify(call.userId)},` +
    `"invocation_id":${JSON.stringify(call.invocationId)}${tail}}`
  );
}

/**
 * Reads the line a tool printed. A `{"type":"error"}` line becomes ERR_TOOL_FAILED with the tool's own
 * message; a line that is not of the protocol is ERR_OUTPUT_INVALID, a malformed step ERR_STEP_INVALID.
 */
export function parseToolLine(line: string): ToolMessage {
  const message = parseObject(line);
  switch (message['type']) {
    case 'result':
      return {
        type: 'result',
        contentJson: JSON.stringify(message['content'] ?? null),
        parts: parseParts(message['parts']),
      };
    case 'error':
      throw new ToolCallError('ERR_TOOL_FAILED', toolMessage(message['message']));
    case 'http':
      return {
        type: 'http',
        method: requireText(message, 'http', 'method').toUpperCase(),
        url: requireText(message, 'http', 'url'),
        ...optionalTextMap(message, 'headers'),
        ...optionalText(message, 'http', 'body'),
        ...optionalText(message, 'http', 'desc'),
      };
    case 'db':
    case 'mail':
      return {
        type: message['type'],
        operation: requireText(message, message['type'], 'operation'),
        ...optionalParams(message, message['type']),
      };
    default:
      throw new ToolCallError(
        'ERR_OUTPUT_INVALID',
        `The tool printed a message of unknown type ${quoted(JSON.stringify(message['type']) ?? 'none')}; expected result, error, http, db or mail.`,
      );
  }
}

function parseObject(line: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseKeepingNumbers(line);
  } catch {
    throw new ToolCallError('ERR_OUTPUT_INVALID', `The tool printed something that is not JSON: ${quoted(line)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ToolCallError('ERR_OUTPUT_INVALID', `The tool printed JSON that is not an object: ${quoted(line)}`);
  }
  return value as Record<string, unknown>;
}

function parseParts(value: unknown): readonly Part[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new ToolCallError('ERR_OUTPUT_INVALID', 'The tool printed `parts` that is not a list.');
  return value.map((part: unknown, index) => {
    const fields: Record<string, unknown> = typeof part === 'object' && part !== null ? { ...part } : {};
    const { media_type: mediaType, data = '', uri = '', name = '' } = fields;
    if (typeof mediaType !== 'string' || typeof data !== 'string' || typeof uri !== 'string' || typeof name !== 'string') {
      throw new ToolCallError(
        'ERR_OUTPUT_INVALID',
        `The tool printed a part (number ${index + 1}) without text fields media_type and data or uri.`,
      );
    }
    return { mediaType, data, uri, name };
  });
}

function requireText(message: Record<string, unknown>, type: string, field: string): string {
  const value = message[field];
  if (typeof value !== 'string' || value === '') {
    throw new ToolCallError('ERR_STEP_INVALID', `The tool asked for a ${type} step without a text field \`${field}\`.`);
  }
  return value;
}

function optionalText<F extends string>(message: Record<string, unknown>, type: string, field: F): { [K in F]?: string } {
  const value = message[field];
  if (value === undefined || value === null) return {};
  if (typeof value !== 'string') {
    throw new ToolCallError('ERR_STEP_INVALID', `The tool asked for a ${type} step whose \`${field}\` is not text.`);
  }
  return { [field]: value } as { [K in F]?: string };
}

function optionalTextMap(message: Record<string, unknown>, field: 'headers'): { headers?: Record<string, string> } {
  const value = message[field];
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value) || Object.values(value).some((text) => typeof text !== 'string')) {
    throw new ToolCallError('ERR_STEP_INVALID', 'The tool asked for an http step whose `headers` are not an object of text.');
  }
  return { headers: value as Record<string, string> };
}

function optionalParams(message: Record<string, unknown>, type: string): { params?: Record<string, unknown> } {
  const value = message['params'];
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new ToolCallError('ERR_STEP_INVALID', `The tool asked for a ${type} step whose \`params\` is not an object.`);
  }
  return { params: value as Record<string, unknown> };
}
