import type { PluginPlace } from './loaded-plugin.ts';
import type { Problem } from './model.ts';
import { type FolderEntry, fileProblem, type PluginFiles } from './plugin-files.ts';

/** One place plugins come from. A user's capability stands in for a shipped one of the same id. */
export interface PluginSource {
  readonly name: 'system' | 'user';
  readonly files: PluginFiles;
}

/** Where each kind is looked for (seed 003 §9.1). */
const FOLDERS = [
  ['skill', 'skills'],
  ['tool', 'tools'],
] as const;

const YAML = /\.ya?ml$/;
/** A skill's prompt, beside its registration file. */
const DEFINITION_PART = /\.def\.ya?ml$/;

/**
 * Finds the definition files of a source: `skills/<id>.yaml` and `tools/<id>.yaml`, each with its other files beside it,
 * or a folder for each, in which `<folder>.yaml` is the definition (or the only YAML file there).
 */
export async function findPlugins({
  name: source,
  files,
}: PluginSource): Promise<{ readonly places: readonly PluginPlace[]; readonly problems: readonly Problem[] }> {
  const places: PluginPlace[] = [];
  const problems: Problem[] = [];
  for (const [kind, folder] of FOLDERS) {
    for (const entry of await listOrReport(files, folder, problems)) {
      const path = `${folder}/${entry.name}`;
      if (entry.kind === 'refused') problems.push(refusedEntry(path));
      else if (entry.kind === 'file') {
        if (isDefinition(entry))
          places.push({ files, source, kind, file: path, folder, stem: stemOf(entry.name), hasOwnFolder: false });
      } else if (entry.name !== 'node_modules') {
        const inside = await listOrReport(files, path, problems);
        const definition = definitionIn(entry.name, inside);
        if (definition !== undefined) {
          places.push({
            files,
            source,
            kind,
            file: `${path}/${definition}`,
            folder: path,
            stem: stemOf(definition),
            hasOwnFolder: true,
          });
        } else if (inside.length > 0) problems.push(noDefinition(path, entry.name, inside));
      }
    }
  }
  return { places, problems };
}

async function listOrReport(files: PluginFiles, folder: string, problems: Problem[]): Promise<readonly FolderEntry[]> {
  try {
    return await files.list(folder);
  } catch (error) {
    problems.push(fileProblem(error, folder));
    return [];
  }
}

function isDefinition({ name, kind }: FolderEntry): boolean {
  return kind === 'file' && YAML.test(name) && !DEFINITION_PART.test(name);
}

function definitionIn(folder: string, entries: readonly FolderEntry[]): string | undefined {
  const [first, second] = entries.filter(isDefinition).map(({ name }) => name);
  const named = entries.find((entry) => isDefinition(entry) && stemOf(entry.name) === folder)?.name;
  return named ?? (second === undefined ? first : undefined);
}

function stemOf(name: string): string {
  return name.replace(YAML, '');
}

function refusedEntry(file: string): Problem {
  return {
    severity: 'error',
    file,
    line: 0,
    message: 'This is a link that leads out of the plugin folder or nowhere, or a special file.',
    mend: 'Replace it by a regular file or folder.',
  };
}

function noDefinition(path: string, folder: string, entries: readonly FolderEntry[]): Problem {
  const several = entries.some(isDefinition);
  return {
    severity: several ? 'error' : 'warning',
    file: path,
    line: 0,
    message: several ? 'The folder holds several YAML files, none named like the folder.' : 'The folder holds no definition.',
    mend: several ? `Name the definition \`${folder}.yaml\`.` : `Add the definition as \`${folder}.yaml\`, or remove the folder.`,
  };
}
