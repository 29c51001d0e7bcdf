import { describe, expect, it } from 'vitest';
import { type BaseImage, pinnedDockerfile } from '../src/dockerfile.ts';

const HEX = { base: 'b'.repeat(64), tools: '0'.repeat(64), trigger: 'e'.repeat(64) };
const IMAGES: Readonly<Record<string, BaseImage>> = {
  'base:1': { id: `sha256:${HEX.base}`, onBuild: ['RUN true', 'COPY . /app'] },
  'registry.example/tools': { id: `sha256:${HEX.tools}`, onBuild: [] },
  fetching: { id: `sha256:${HEX.trigger}`, onBuild: ['ADD http://h/x /x'] },
  pulling: { id: `sha256:${HEX.trigger}`, onBuild: ['COPY --from=127.0.0.1:1/x / /'] },
  folded: { id: `sha256:${HEX.trigger}`, onBuild: ['RUN a \\\n b'] },
};

function pinned(dockerfile: string | Uint8Array): Promise<string> {
  return pinnedDockerfile(Buffer.from(dockerfile), async (reference) => IMAGES[reference]);
}

describe('pinnedDockerfile', () => {
  it.each([
    ['an image by its id', 'FROM base:1', `FROM ${HEX.base}`],
    ['a platform and a name', 'FROM --platform=linux/amd64 base:1 AS Build', `FROM --platform=linux/amd64 ${HEX.base} AS Build`],
    ['an image from an argument', `ARG V=1\nFROM base:\${V}`, `ARG V=1\nFROM ${HEX.base}`],
    ['scratch', 'FROM scratch', 'FROM scratch'],
    ['a stage of the file', 'FROM base:1 AS One\nFROM one', `FROM ${HEX.base} AS One\nFROM one`],
    [
      'a copy from a stage, by name and number',
      'FROM base:1 AS one\nFROM base:1\nCOPY --from=ONE /a /b\nCOPY --from=0 --chown=1:1 a b',
      `FROM ${HEX.base} AS one\nFROM ${HEX.base}\nCOPY --from=one /a /b\nCOPY --from=0 --chown=1:1 a b`,
    ],
    [
      'a copy from an image',
      'FROM base:1\nCOPY --from=registry.example/tools /a /',
      `FROM ${HEX.base}\nCOPY --from=${HEX.tools} /a /`,
    ],
    ['no comment', '# syntax=evil.example/frontend\nFROM base:1\n# b', `FROM ${HEX.base}`],
    ['a trigger', 'FROM base:1\nONBUILD COPY . /x', `FROM ${HEX.base}\nONBUILD COPY . /x`],
    [
      'the rest as it is',
      '\u{feff}FROM base:1\nRUN echo "a  b" $C \\\n  d\nCMD ["x"]',
      `FROM ${HEX.base}\nRUN echo "a  b" $C   d\nCMD ["x"]`,
    ],
  ])('writes %s', async (_what, dockerfile, lines) => {
    expect(await pinned(dockerfile)).toBe(`${lines}\n`);
  });

  it.each([
    ['plain', 'ADD http://169.254.169.254/x /x'],
    ['any case, indented', '  aDd https://h/x /x'],
    ['tab and flags', 'ADD\t--chown=1 https://h/x /x'],
    ['JSON form', 'ADD ["https://h/x", "/x"]'],
    ['JSON form, its characters written out', 'ADD ["http\\u003a\\u002f\\u002fh/x", "/x"]'],
    ['from a variable', 'ARG U=http://h\nADD $U /x'],
    ['ONBUILD', 'ONBUILD ADD http://h/x /x'],
    ['on the next line', 'ADD \\\n  http://h/x /x'],
    ['cut in the word', 'A\\\nDD http://h/x /x'],
    ['behind a comment in a continuation', 'ADD \\\n# why\n http://h/x /x'],
    ['behind a backslash and a no-break space', 'RUN echo a \\\u{a0}\nADD http://h/x /x'],
    ['an archive, which the engine would unpack', 'ADD files.tar.gz /app'],
  ])('refuses ADD: %s', async (_how, line) => {
    await expect(pinned(`FROM base:1\n${line}`)).rejects.toMatchObject({ code: 'ERR_SANDBOX_START' });
  });

  it.each([
    ['a base image', 'FROM other:1', /its base image other:1 is not on this machine.* Run: docker pull other:1$/],
    ['a port of this machine', 'FROM 127.0.0.1:5000/x', /base image 127\.0\.0\.1:5000\/x is not on this machine[^R]*$/],
    ['this machine by name', 'FROM localhost:5000/x', /is not on this machine[^R]*$/],
    ['an address in another notation', 'FROM 0x7f000001:5000/x', /is not on this machine[^R]*$/],
    ['an address as one number', 'FROM 2130706433:80/x', /is not on this machine[^R]*$/],
    ['from an argument', 'ARG H=127.0.0.1:1\nFROM $H/x', /base image 127\.0\.0\.1:1\/x is not/],
    ['an id', `FROM sha256:${'1'.repeat(64)}`, /is not on this machine[^R]*$/],
    ['a copy from an image', 'FROM base:1\nCOPY --from=127.0.0.1:1/x / /', /COPY --from image 127\.0\.0\.1:1\/x is not/],
    ['a copy from scratch', 'FROM base:1\nCOPY --from=scratch / /', /is not on this machine[^R]*$/],
    ['a stage that comes later', 'FROM base:1\nCOPY --from=late / /\nFROM base:1 AS late', /image late is not/],
    ['the stage itself', 'FROM base:1 AS own\nCOPY --from=own / /', /image own is not/],
    ['the number of the stage itself', 'FROM base:1\nCOPY --from=0 / /', /image 0 is not/],
    ['behind another flag', 'FROM base:1\nCOPY --chown=1 --from=h:1/x / /', /image h:1\/x is not/],
  ])('refuses what is not here: %s', async (_what, dockerfile, message) => {
    const error: unknown = await pinned(dockerfile).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'ERR_SANDBOX_START', message: expect.stringMatching(message) });
    // services/cli tells by these words that nothing of ours is broken.
    expect(error).toMatchObject({ message: expect.stringMatching(/\bimage .* is not on this machine\b/) });
  });

  it.each([
    ['an argument without a value', 'ARG B\nFROM $B'],
    ['an argument of a stage', 'FROM base:1\nARG B=base:1\nFROM $B'],
    ['quotes', 'FROM "base:1"'],
    ['an unknown flag of FROM', 'FROM --pull base:1'],
    ['a platform from a variable', 'FROM --platform=$BUILDPLATFORM base:1'],
    ['more words', 'FROM base:1 AS a b'],
    ['a variable in --from', 'FROM base:1\nARG I=h:1/x\nCOPY --from=$I / /'],
    ['quotes in --from', 'FROM base:1\nCOPY --from="h:1/x" / /'],
    ['an escape in --from', 'FROM base:1\nCOPY --fr\\om=h:1/x / /'],
    ['--from and its value apart', 'FROM base:1\nCOPY --from h:1/x / /'],
    ['--from with nothing behind it', 'FROM base:1\nCOPY --from=h:1/x'],
    ['another flag of COPY', 'FROM base:1\nCOPY --link a b'],
    ['a mount of RUN', 'FROM base:1\nRUN --mount=type=bind,from=h:1/x,target=/x true'],
    ['a trigger that copies from elsewhere', 'FROM base:1 AS a\nONBUILD COPY --from=h:1/x / /\nFROM a'],
    ['a trigger of a trigger', 'FROM base:1\nONBUILD ONBUILD ADD a b'],
    ['an image that brings a trigger with ADD', 'FROM fetching'],
    ['an image that brings a trigger with --from', 'FROM pulling'],
    ['an image that brings a trigger of two lines', 'FROM folded'],
  ])('refuses %s', async (_what, dockerfile) => {
    await expect(pinned(dockerfile)).rejects.toMatchObject({ code: 'ERR_SANDBOX_START' });
  });

  it('refuses bytes that are not UTF-8', async () => {
    await expect(pinned(Buffer.from([0x46, 0xff]))).rejects.toMatchObject({ message: expect.stringContaining('UTF-8') });
  });
});
