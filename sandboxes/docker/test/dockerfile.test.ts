import { describe, expect, it } from 'vitest';
import { remoteAdd } from '../src/dockerfile.ts';

describe('remoteAdd', () => {
  it.each([
    ['plain', 'FROM a\nADD http://169.254.169.254/x /x'],
    ['any case, indented', 'FROM a\n  aDd https://h/x /x'],
    ['tab and flags', 'FROM a\nADD\t--chown=1 https://h/x /x'],
    ['JSON form', 'FROM a\nADD ["https://h/x", "/x"]'],
    ['from a variable', 'FROM a\nARG U=http://h\nADD $U /x'],
    ['a later ONBUILD', 'FROM a AS b\nONBUILD ADD http://h/x /x\nFROM b'],
    ['on the next line', 'FROM a\nADD \\\n  http://h/x /x'],
    ['cut in the word', 'FROM a\nA\\\nDD http://h/x /x'],
    ['behind a comment in a continuation', 'FROM a\nADD \\\n# why\n http://h/x /x'],
    ['after a doubled escape', 'FROM a\nRUN echo \\\\\nADD http://h/x /x'],
    ['after a line that ends like one of the other escape', '# escape=`\nFROM a\nRUN echo \\\nADD http://h/x /x'],
    ['cut with the other escape', '# escape=`\nFROM a\nAD`\nD http://h/x /x'],
    ['CRLF', 'FROM a\r\nADD http://h/x /x\r\n'],
  ])('finds it: %s', (_how, dockerfile) => {
    expect(remoteAdd(dockerfile)).toBeDefined();
  });

  it.each([
    ['no ADD', 'FROM a\nCOPY x /x\nRUN echo http://h'],
    ['a local file', 'FROM a\nADD files.tar.gz /app'],
    ['the word in a RUN that goes on', 'FROM a\nRUN apk \\\n  add $PACKAGES http://h'],
    ['a comment', 'FROM a\n# ADD http://h/x /x'],
    ['another word', 'FROM a\nRUN useradd $U\nLABEL address=http://h'],
  ])('does not find: %s', (_what, dockerfile) => {
    expect(remoteAdd(dockerfile)).toBeUndefined();
  });
});
