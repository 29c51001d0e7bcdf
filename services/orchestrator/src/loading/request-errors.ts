import { clipText } from '../registry/clip-text.ts';

/** What is wrong with a request, for the caller; the edge makes a status of it. The message is one sentence. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly kind: 'invalid' | 'not_found';

  constructor(kind: RequestError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export function invalidRequest(message: string): RequestError {
  return new RequestError('invalid', message);
}

export function notFound(message: string): RequestError {
  return new RequestError('not_found', message);
}

/** Characters of a caller's own text that a message repeats: a status travels in headers, where there is little room. */
export const MAX_SHOWN = 80;

/** A caller's text as a message repeats it. */
export function shown(text: string): string {
  return JSON.stringify(clipText(text, MAX_SHOWN));
}

/** Throws an invalid `RequestError` that names the field. */
export function checkLength(field: string, text: string, max: number): void {
  if (text.length > max) throw invalidRequest(`${field} is longer than ${max} characters.`);
}
