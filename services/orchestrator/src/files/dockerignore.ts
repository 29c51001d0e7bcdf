/**
 * Says which paths of a build context a `.dockerignore` leaves out. The client that makes the context applies that file
 * (the engine does not), and here we are the client. Rules as Docker documents them: the last rule that fits a path or a
 * folder above it decides; `!` takes back in; `*` and `?` stay within a name, `**` spans any number of folders.
 *
 * Written here because every library turns the rules into regular expressions, which a plugin's author could make run
 * for hours; this matching takes at most (length of rule × length of path) steps.
 */
export function createDockerignore(text: string): (path: string) => boolean {
  const rules = text.split(/\r?\n/).flatMap(parseRule);
  return (path) => {
    const segments = path.split('/');
    let leftOut = false;
    for (const { pattern, takesIn } of rules) {
      if (leftOut === takesIn && fitsPathOrParent(pattern, segments)) leftOut = !takesIn;
    }
    return leftOut;
  };
}

interface Rule {
  readonly pattern: readonly string[];
  readonly takesIn: boolean;
}

function parseRule(line: string): Rule[] {
  if (line.startsWith('#')) return [];
  const written = line.trim();
  const takesIn = written.startsWith('!');
  const pattern = (takesIn ? written.slice(1).trim() : written).split('/').filter((segment) => segment !== '' && segment !== '.');
  return pattern.length === 0 ? [] : [{ pattern, takesIn }];
}

function fitsPathOrParent(pattern: readonly string[], segments: readonly string[]): boolean {
  return segments.some((_, index) => fits(pattern, segments.slice(0, index + 1), '**', fitsName));
}

function fitsName(pattern: string, name: string): boolean {
  return fits([...pattern], [...name], '*', (wanted, actual) => wanted === '?' || wanted === actual);
}

/** Wildcard matching in which only the last `star` seen is ever tried again: enough, and never exponential. */
function fits(
  pattern: readonly string[],
  parts: readonly string[],
  star: string,
  fitsOne: (wanted: string, actual: string) => boolean,
): boolean {
  let at = 0;
  let starAt = -1;
  let resumeAt = 0;
  for (let part = 0; part < parts.length; ) {
    const wanted = pattern[at];
    const actual = parts[part] ?? '';
    if (wanted === star) {
      starAt = at++;
      resumeAt = part;
    } else if (wanted !== undefined && fitsOne(wanted, actual)) {
      at++;
      part++;
    } else if (starAt >= 0) {
      at = starAt + 1;
      part = ++resumeAt;
    } else return false;
  }
  while (pattern[at] === star) at++;
  return at === pattern.length;
}
