/**
 * A call that is refused because of how it was asked for: an answer for the caller's code, not for a model. The gRPC
 * edge turns it into a status of the same name.
 */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
  readonly reason: 'invalid_argument' | 'failed_precondition' | 'resource_exhausted' | 'unavailable';

  constructor(reason: 'invalid_argument' | 'failed_precondition' | 'resource_exhausted' | 'unavailable', message: string) {
    super(message);
    this.reason = reason;
  }
}
