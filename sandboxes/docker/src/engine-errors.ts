import { ToolCallError } from '@yuanbot/contract';
import { isTimeout } from './or-abort.ts';
import { printableHead } from './printable-text.ts';

/**
 * The one place where a failure of dockerode or of the engine becomes a coded one.
 *
 * `moment` decides what an engine that went away means: before the tool ran, a retry may run it
 * (ERR_SANDBOX_UNAVAILABLE); once it ran, nobody may think that nothing happened (ERR_SANDBOX_CRASHED).
 * `doing` completes "The Docker engine could not …".
 */
export function engineFailure(error: unknown, moment: 'before-run' | 'during-run', doing: string): ToolCallError {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    if (at instanceof ToolCallError) return at;
    const known = knownFailure(at, moment, doing);
    if (known !== undefined) return new ToolCallError(known.code, known.message, { cause: error });
  }
  return new ToolCallError('ERR_INTERNAL', `The Docker sandbox failed to ${doing}; the operator finds the cause in the log.`, {
    cause: error,
  });
}

/** How to get what is missing, as part of a sentence: see `describe`. */
export const HOW_TO_GET_DOCKER = 'apt-get install docker.io, or set capabilities.sandbox.docker.socket';

/** True when the engine answered that what was asked for does not exist. */
export function isNotFound(error: unknown): boolean {
  return statusOf(error) === 404;
}

/** True when the engine refused because the same is already under way (a removal, say). */
export function isConflict(error: unknown): boolean {
  return statusOf(error) === 409;
}

/** What the engine itself said, without the client's decoration, fit for one line. */
export function engineWords(error: unknown): string {
  const json = error instanceof Error && 'json' in error ? error.json : undefined;
  const said = typeof json === 'object' && json !== null && 'message' in json ? json.message : undefined;
  const words = typeof said === 'string' ? said : error instanceof Error ? error.message : String(error);
  return printableHead(words.replace(CLIENT_DECORATION, ''), MAX_WORDS);
}

/** dockerode puts `(HTTP code 400) bad parameter - ` in front of what the engine said. */
const CLIENT_DECORATION = /^\(HTTP code \d+\) [\w ]+ - /;

/** Enough for runc's longest chain of reasons. */
const MAX_WORDS = 400;

function knownFailure(error: Error, moment: 'before-run' | 'during-run', doing: string) {
  const gone = connectionProblem(error);
  if (gone !== undefined) {
    return moment === 'before-run'
      ? ({ code: 'ERR_SANDBOX_UNAVAILABLE', message: `${gone} To get it: ${HOW_TO_GET_DOCKER}.` } as const)
      : ({ code: 'ERR_SANDBOX_CRASHED', message: 'The Docker engine stopped answering while the tool ran.' } as const);
  }
  const status = statusOf(error);
  if (status === undefined) return undefined;
  const code = moment === 'before-run' ? 'ERR_SANDBOX_START' : 'ERR_SANDBOX_CRASHED';
  // A 500 may name folders of the host; a 4xx is about what was asked for, and who asked needs to read it.
  return isAboutTheRequest(error, status)
    ? ({ code, message: `The Docker engine could not ${doing}: ${engineWords(error)}` } as const)
    : ({ code, message: `The Docker engine failed to ${doing}; the operator finds the cause in the log.` } as const);
}

/** What some releases answer 500 for, though it is the tool's: a program that its image does not have, a context without a Dockerfile. */
const ABOUT_THE_TOOL = /exec: "[^"]*": |Cannot locate specified Dockerfile/;

function isAboutTheRequest(error: Error, status: number): boolean {
  return status < 500 || ABOUT_THE_TOOL.test(error.message);
}

function connectionProblem(error: Error): string | undefined {
  switch ('code' in error ? error.code : undefined) {
    case 'ENOENT':
      return 'There is no Docker engine on this machine: its socket does not exist.';
    case 'ECONNREFUSED':
      return 'The Docker engine does not answer on its socket.';
    case 'EACCES':
    case 'EPERM':
      return 'This process may not open the socket of the Docker engine; its user must be in the group `docker`.';
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return 'The Docker engine closed the connection.';
    case 'ABORT_ERR':
    case 'ETIMEDOUT':
      return 'The Docker engine did not answer in time.';
    default:
      return isTimeout(error) ? 'The Docker engine did not answer in time.' : undefined;
  }
}

function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' ? status : undefined;
}
