/**
 * What the client's exit codes mean; `yuanbot-cli --help` prints this list. From 64 on they are those of sysexits(3).
 */
export const EXIT_CODES = {
  ok: 0,
  /** The platform answered, and the answer is a failure: the error's code says which. */
  failed: 1,
  usage: 2,
  unreachable: 69,
  internal: 70,
  refused: 77,
  start: 78,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** For `--help`. */
export const EXIT_CODE_MEANINGS: readonly (readonly [ExitCode, string])[] = [
  [EXIT_CODES.ok, 'done'],
  [EXIT_CODES.failed, 'the call failed: the error carries the code'],
  [EXIT_CODES.usage, 'the command line is wrong, or the platform did not accept the request'],
  [EXIT_CODES.unreachable, 'no platform answers'],
  [EXIT_CODES.internal, 'the client or the platform has a defect'],
  [EXIT_CODES.refused, 'not allowed'],
  [EXIT_CODES.start, 'the platform could not be started'],
  [EXIT_CODES.interrupted, 'interrupted (Ctrl-C); 143 when terminated'],
];
