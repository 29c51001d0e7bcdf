/**
 * The one thing of a Dockerfile that must be known before the engine sees it: whether it would have the
 * engine itself fetch something. `RUN` has no network, but `ADD https://…` is performed by the engine, on
 * the host's network, where loopback and metadata services are.
 *
 * Read as strictly as any release of the classic builder may read it: where they differ (a doubled
 * escape, an escape directive), every reading counts.
 */

/** An `ADD` whose source may be remote, as written; undefined when there is none. A variable may hold anything. */
export function remoteAdd(dockerfile: string): string | undefined {
  const lines = dockerfile
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const otherEscape = /^\s*#.*escape/im.test(dockerfile);
  for (const [index, line] of lines.entries()) {
    const continues = !otherEscape && CERTAINLY_CONTINUED.test(lines[index - 1] ?? '');
    if (continues) continue;
    const instruction = joined(line, lines, index);
    if (IS_ADD.test(instruction) && MAY_BE_REMOTE.test(instruction)) return instruction;
  }
  return undefined;
}

const CERTAINLY_CONTINUED = /(?:^|[^\\])\\$/;
const MAYBE_CONTINUED = /[\\`]$/;
const IS_ADD = /^(?:ONBUILD\s+)*ADD\b/i;
const MAY_BE_REMOTE = /\$|:|\/\//;

/** The line and what follows it, for as long as a reading of it goes on. */
function joined(line: string, lines: readonly string[], index: number): string {
  let text = line;
  for (let next = index + 1; MAYBE_CONTINUED.test(text) && next < lines.length; next++) {
    text = text.slice(0, -1) + lines[next];
  }
  return text;
}
