const MASK = '[token]';

/** A run of base64url parts joined by dots, three at least. The look-behind starts each run once: linear time. */
const DOTTED_RUN = /(?<![\w-])[\w-]+(?:\.[\w-]*){2,}/g;
/** A JWS whose header is JSON as every library writes it: `{"` is `eyJ`. The signature may be empty (`alg: none`). */
const JSON_HEADER = /eyJ[\w-]*\.[\w-]+\.[\w-]*/;
/** A JWS whatever its header: longer parts than any host name or version has; a signature is at least 32 bytes. */
const LONG_PARTS = /[\w-]{16,}\.[\w-]{16,}\.[\w-]{42,}/;

/**
 * Replaces what looks like a JWS (three base64url parts, RFC 7515 §7.1) in one line of JSON; the line stays JSON. The
 * whole line is looked at, so that a token is masked wherever it is: the message, a field, an error's stack.
 */
export function maskTokens(line: string): string {
  return line.replace(DOTTED_RUN, (run, offset: number) => {
    const at = run.search(JSON_HEADER);
    if (at < 0 && !LONG_PARTS.test(run)) return run;
    // A run right after a backslash begins with what that escapes: `\n` or `\u001b`.
    const escaped = line[offset - 1] === '\\' ? (run[0] === 'u' ? 5 : 1) : 0;
    return `${run.slice(0, Math.max(at, escaped))}${MASK}`;
  });
}
