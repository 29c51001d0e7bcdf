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
