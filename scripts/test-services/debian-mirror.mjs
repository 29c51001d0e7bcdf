import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const APT = '/etc/apt';
const DEFAULT_MIRROR = 'http://deb.debian.org/debian';

/**
 * The mirror of Debian that this machine's apt uses (so a root file system can be made wherever packages can
 * be installed). Reads both forms of sources: `deb http://… bookworm main` and the paragraphs of *.sources.
 */
export function debianMirror() {
  const folder = join(APT, 'sources.list.d');
  const parts = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  const texts = [join(APT, 'sources.list'), ...parts]
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8'));
  const addresses = texts.flatMap((text) =>
    [...text.matchAll(/^(?:deb\s+(?:\[[^\]]*\]\s+)?|URIs:\s*)(https?:\/\/\S+)/gm)].map((match) => match[1]),
  );
  // Of Debian's own archives, "debian-security" and third parties' are told apart by the path.
  return addresses.find((address) => /\/debian\/?$/.test(address)) ?? DEFAULT_MIRROR;
}
