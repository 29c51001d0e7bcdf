import { CapabilityKind, PermissionLevel, Problem_Severity, SandboxKind } from '@yuanbot/proto/capability';
import { expect, test } from 'vitest';
import { servedWorld } from '../served-world.ts';

const DATETIME = {
  id: 'get_current_datetime',
  kind: CapabilityKind.TOOL,
  name: '当前时间',
  domains: ['daily_chat'],
  permissionLevel: PermissionLevel.READONLY,
  sandbox: SandboxKind.LOCAL_THREAD,
  enabled: true,
  callable: true,
  source: 'system',
  file: 'tools/get_current_datetime.yaml',
};
const BROKEN = {
  id: 'broken\u001b[2J',
  kind: CapabilityKind.SKILL,
  name: 'x',
  enabled: true,
  source: 'user',
  file: 'skills/broken.yaml',
  problems: [
    { severity: Problem_Severity.ERROR, file: 'skills/broken.yaml', line: 7, message: 'unknown key "nmae"', mend: 'name: …' },
  ],
};

test('list follows every page, aligns wide names and shows problems with file, line and mend', async () => {
  const asked: string[] = [];
  await using served = await servedWorld({
    listCapabilities: (request) => {
      asked.push(request.pageToken);
      return request.pageToken === '' ? { capabilities: [DATETIME], nextPageToken: 'more' } : { capabilities: [BROKEN] };
    },
  });
  const { exitCode, stdout, stderr } = await served.run(['list']);
  expect({ exitCode, stderr, asked }).toEqual({ exitCode: 0, stderr: '', asked: ['', 'more'] });
  expect(stdout.split('\n')).toEqual([
    'ID                    KIND   LEVEL     SANDBOX       DOMAINS     CALLABLE  PROBLEMS  NAME',
    'get_current_datetime  tool   readonly  local_thread  daily_chat  yes              –  当前时间',
    'broken\\u{1b}[2J       skill  –         –             –           no               1  x',
    '',
    'Problems',
    'error  broken\\u{1b}[2J  user/skills/broken.yaml:7',
    '         unknown key "nmae"',
    '         → name: …',
    '',
  ]);
});

test('list --json is one document, with the filters sent', async () => {
  let asked: unknown;
  await using served = await servedWorld({
    listCapabilities: ({ domainPrefix, kind, tags, includeDisabled }) => {
      asked = { domainPrefix, kind, tags, includeDisabled };
      return { capabilities: [DATETIME] };
    },
  });
  const args = ['list', '--json', '--domain', 'daily_chat', '--kind', 'tool', '--tag', 'a', '--tag', 'b', '--all'];
  const { stdout } = await served.run(args);
  expect(asked).toEqual({ domainPrefix: 'daily_chat', kind: CapabilityKind.TOOL, tags: ['a', 'b'], includeDisabled: true });
  expect(JSON.parse(stdout).capabilities).toEqual([
    expect.objectContaining({
      id: 'get_current_datetime',
      kind: 'tool',
      permission_level: 'readonly',
      sandbox: 'local_thread',
      callable: true,
      problems: [],
    }),
  ]);
});

test('the ids for a shell leave out what a shell could read as more than a word', async () => {
  await using served = await servedWorld({
    listCapabilities: () => ({ capabilities: [DATETIME, { ...BROKEN, id: '$(reboot)' }] }),
  });
  expect(await served.run(['tool-ids'])).toEqual({ exitCode: 0, stdout: 'get_current_datetime\n', stderr: '' });
});
