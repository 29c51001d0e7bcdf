import type { DestinationStream } from 'pino';
import pretty from 'pino-pretty';

/** Control, zero-width and bidi characters: a message must not fake a line or steer a terminal. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;

/** Lines for a person at a terminal. Written by this process, without a worker: what came before a crash is there. */
export function createPrettyStream(destination: NodeJS.WritableStream): DestinationStream {
  return pretty({
    destination,
    colorize: false,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    messageFormat: (line, messageKey) =>
      String(line[messageKey]).replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`),
  });
}
