import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Digest } from '@yuanbot/kit/canonical';
import { describe, expect, test } from 'vitest';
import { createRegistry } from '../../src/registry/create-registry.ts';
import {
  DEFAULTS,
  type Files,
  flatSkill,
  flatTool,
  registryOf,
  SILENT,
  schemaText,
  sourceAt,
  temporaryRoot,
  writeFiles,
} from './temporary-source.ts';

const snapshotOf = async (system: Files, user?: Files) => (await registryOf(system, user)).snapshot();

describe('what is found', () => {
  test('flat files and one folder each, skills and tools, ordered by id', async () => {
    const snapshot = await snapshotOf({
      ...flatTool('b_tool'),
      ...flatSkill('a_skill'),
      'tools/own/own.yml':
        'tool_id: Own\nname: O\nversion: 1\ncategory: a\npermission_level: readonly\nexecutor:\n  image: busybox\n',
      'tools/own/own.schema.json': schemaText('own'),
      'tools/own/compose.yaml': 'services: {}\n',
      'tools/other/definition.yaml':
        'tool_id: other\nname: O\nversion: 1\ncategory: a\npermission_level: readonly\nexecutor:\n  image: busybox\n',
      'tools/other/definition.schema.json': schemaText('other'),
      'tools/node_modules/x/x.yaml': 'tool_id: x\n',
      'tools/.hidden.yaml': 'tool_id: hidden\n',
      'elsewhere/z.yaml': 'tool_id: z\n',
    });
    expect(snapshot.all().map(({ id, callable }) => [id, callable])).toEqual([
      ['Own', true],
      ['a_skill', true],
      ['b_tool', true],
      ['other', true],
    ]);
    expect(snapshot.problems()).toEqual([]);
    expect(snapshot.get('a_skill')?.kind).toBe('skill');
    expect(snapshot.tool('a_skill')).toBeUndefined();
    expect(snapshot.get('nobody')).toBeUndefined();
  });

  test('nothing at all is no problem', async () => {
    const snapshot = await snapshotOf({});
    expect(snapshot.all()).toEqual([]);
    expect(snapshot.problems()).toEqual([]);
  });

  test.each<[why: string, files: Files, expected: object]>([
    [
      'a folder with several YAML files and none of its name',
      { 'tools/x/a.yaml': '', 'tools/x/b.yaml': '' },
      { severity: 'error', file: 'tools/x', mend: expect.stringContaining('x.yaml') },
    ],
    [
      'a folder without a definition',
      { 'tools/x/README.md': '' },
      { severity: 'warning', file: 'tools/x', mend: expect.stringContaining('x.yaml') },
    ],
    [
      'a broken file whose name is no id either',
      { 'tools/-天气.yaml': 'x: "' },
      { severity: 'error', file: 'tools/-天气.yaml', line: 1 },
    ],
  ])('%s is reported', async (_why, files, expected) => {
    expect((await snapshotOf({ ...files, ...flatTool('good') })).problems()).toMatchObject([expected]);
  });

  test('a link out of the source is reported, and what it leads to is not read', async () => {
    const outside = await temporaryRoot(flatTool('stolen'));
    const root = await temporaryRoot(flatTool('good'));
    await symlink(join(outside, 'tools/stolen.yaml'), join(root, 'tools/stolen.yaml'));
    await symlink(join(outside, 'tools'), join(root, 'skills'));
    const snapshot = (await createRegistry({ sources: [sourceAt(root)], defaults: DEFAULTS, log: SILENT })).snapshot();
    expect(snapshot.all().map(({ id }) => id)).toEqual(['good']);
    expect(snapshot.problems().map(({ file }) => file)).toEqual(['skills', 'tools/stolen.yaml']);
  });

  test('a broken file does not stop the rest, and is listed under the id it can be known by', async () => {
    const snapshot = await snapshotOf({
      ...flatTool('good'),
      'tools/half.yaml': 'tool_id: written\nname: Half\nbroken: "\n',
      'tools/guessed.yaml': '"\n',
    });
    expect(snapshot.all().map(({ id, callable }) => [id, callable])).toEqual([
      ['good', true],
      ['guessed', false],
      ['written', false],
    ]);
    expect(snapshot.get('written')).toMatchObject({ name: 'Half', file: 'tools/half.yaml', problems: [{ line: 4 }] });
  });

  test('a disabled capability is there, and not callable', async () => {
    const snapshot = await snapshotOf(flatTool('off', 'enabled: false\n'));
    expect(snapshot.tool('off')).toMatchObject({ enabled: false, callable: false, problems: [] });
    expect(snapshot.index.tools.all).toEqual([]);
  });
});

describe('the same id', () => {
  test('twice in one source: one entry, not callable, both files named', async () => {
    const again = flatTool('again');
    const snapshot = await snapshotOf({
      ...flatTool('again'),
      'skills/again.yaml': 'skill_id: again\nname: S\nversion: 1\ncategory: a\n',
      'skills/again.def.yaml': 'prompt_template: x\n',
      'tools/z.yaml': `# twice\n${again['tools/again.yaml']}`,
    });
    expect(snapshot.all()).toHaveLength(1);
    const capability = snapshot.get('again');
    expect(capability?.callable).toBe(false);
    expect(capability?.problems.map(({ severity, file, line }) => [severity, file, line])).toEqual([
      ['error', 'skills/again.yaml', 1],
      ['error', 'tools/again.yaml', 1],
      ['error', 'tools/z.yaml', 2],
      ['error', 'tools/z.schema.json', 0],
    ]);
    expect(capability?.problems[0]?.message).toContain('`tools/z.yaml`');
  });

  test('in both sources: the user’s wins and the listing says so', async () => {
    const snapshot = await snapshotOf({ ...flatTool('t'), ...flatTool('shipped') }, flatTool('t', 'confirm: always\n'));
    expect(snapshot.tool('t')).toMatchObject({ source: 'user', overridesSystem: true, confirm: 'always', callable: true });
    expect(snapshot.tool('shipped')).toMatchObject({ source: 'system', overridesSystem: false });
  });

  test('a broken one of the user’s does not let the shipped one back in', async () => {
    const snapshot = await snapshotOf(flatTool('t'), flatTool('t', 'confirm: sometimes\n'));
    expect(snapshot.tool('t')).toMatchObject({ source: 'user', overridesSystem: true, callable: false });
  });

  test('a file whose id is only guessed displaces nothing', async () => {
    const snapshot = await snapshotOf(flatTool('t'), { 'tools/t.yaml': '"\n' });
    expect(snapshot.tool('t')).toMatchObject({ source: 'system', callable: true });
    expect(snapshot.problems()).toMatchObject([{ file: 'tools/t.yaml', severity: 'error' }]);
  });
});

describe('the same function name', () => {
  const claiming = (id: string, name: string): Files => ({ ...flatTool(id), [`tools/${id}.schema.json`]: schemaText(name) });

  test('belongs to the tool whose id it is', async () => {
    const snapshot = await snapshotOf(flatTool('get_weather'), claiming('spoof', 'get_weather'));
    expect(snapshot.tool('get_weather')?.callable).toBe(true);
    expect(snapshot.tool('spoof')).toMatchObject({
      callable: false,
      problems: [{ mend: expect.stringContaining('"name": "spoof"') }],
    });
  });

  test('belongs to nobody when it is nobody’s id', async () => {
    const snapshot = await snapshotOf({ ...claiming('one', 'same'), ...claiming('two', 'same'), ...claiming('three', 'own') });
    expect(snapshot.all().map(({ id, callable }) => [id, callable])).toEqual([
      ['one', false],
      ['three', true],
      ['two', false],
    ]);
  });
});

describe('bytes by digest', () => {
  test('are those of the snapshot or none, and always have the digest', async () => {
    const root = await temporaryRoot(flatTool('t'));
    const warnings: object[] = [];
    const registry = await createRegistry({
      sources: [sourceAt(root)],
      defaults: DEFAULTS,
      log: { ...SILENT, warn: (fields) => warnings.push(fields) },
    });
    const digest = registry.snapshot().tool('t')?.executor.descriptor.artifact ?? '';
    expect(sha256Digest((await registry.readArtifact(digest)) ?? '')).toBe(digest);
    expect(await registry.readArtifact(sha256Digest('unknown'))).toBeUndefined();

    await writeFile(join(root, 'tools/t.js'), 'other');
    expect(await registry.readArtifact(digest)).toBeUndefined();
    expect(warnings).toMatchObject([{ path: 'tools/t.js', digest }]);
    await rm(join(root, 'tools/t.js'));
    await symlink('/etc/passwd', join(root, 'tools/t.js'));
    expect(await registry.readArtifact(digest)).toBeUndefined();
  });

  test('may come from any of several files that hold them', async () => {
    const root = await temporaryRoot({ ...flatTool('a'), ...flatTool('b') });
    await writeFiles(root, { 'tools/a.js': 'same', 'tools/b.js': 'same' });
    const registry = await createRegistry({ sources: [sourceAt(root)], defaults: DEFAULTS, log: SILENT });
    await rm(join(root, 'tools/a.js'));
    expect(Buffer.from((await registry.readArtifact(sha256Digest('same'))) ?? []).toString()).toBe('same');
  });
});

describe('a snapshot', () => {
  test('is frozen, and stays what it was when the files change and are read again', async () => {
    const root = await temporaryRoot(flatTool('t'));
    const registry = await createRegistry({ sources: [sourceAt(root)], defaults: DEFAULTS, log: SILENT });
    const before = registry.snapshot();
    expect(Object.isFrozen(before.tool('t'))).toBe(true);
    expect(Object.isFrozen(before.all())).toBe(true);
    await writeFiles(root, { ...flatTool('t', 'confirm: always\n'), ...flatTool('u') });
    expect(registry.snapshot()).toBe(before);
    await Promise.all([registry.reload(), registry.reload()]);
    expect(before.all().map(({ id }) => id)).toEqual(['t']);
    expect(before.tool('t')?.confirm).toBe('never');
    expect(
      registry
        .snapshot()
        .all()
        .map(({ id }) => id),
    ).toEqual(['t', 'u']);
    expect(registry.snapshot().tool('t')?.confirm).toBe('always');
  });

  test('shows what the sandbox found, until it finds otherwise or the code changes', async () => {
    const root = await temporaryRoot({ ...flatTool('t'), ...flatTool('u') });
    const registry = await createRegistry({ sources: [sourceAt(root)], defaults: DEFAULTS, log: SILENT });
    const digest = registry.snapshot().tool('t')?.executor.digest ?? '';
    const problem = {
      severity: 'error',
      file: 'tools/t.yaml',
      line: 0,
      message: 'No such image.',
      mend: 'Build it.',
      foundBy: 'sandbox',
    } as const;
    const before = registry.snapshot();
    const total = before.totals().tools;

    registry.reportPreparation('t', digest, problem);
    expect(before.tool('t')?.callable).toBe(true);
    const found = registry.snapshot();
    expect(found.tool('t')).toMatchObject({ callable: false, problems: [problem] });
    expect(found.all().map(({ callable }) => callable)).toEqual([false, true]);
    expect(found.totals().tools).toBeLessThan(total);

    registry.reportPreparation('t', digest, { ...problem, severity: 'warning' });
    expect(registry.snapshot().tool('t')).toMatchObject({ callable: true, problems: [{ severity: 'warning' }] });
    registry.reportPreparation('t', sha256Digest('another executor'), undefined);
    expect(registry.snapshot().tool('t')?.problems).toHaveLength(1);
    registry.reportPreparation('t', digest, undefined);
    expect(registry.snapshot().tool('t')?.problems).toEqual([]);

    registry.reportPreparation('t', digest, problem);
    await writeFile(join(root, 'tools/t.js'), 'mended');
    await registry.reload();
    expect(registry.snapshot().tool('t')).toMatchObject({ callable: true, problems: [] });
    registry.reportPreparation('nobody', digest, problem);
    expect(registry.snapshot().get('nobody')).toBeUndefined();
  });
});
