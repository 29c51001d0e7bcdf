import { sha256Digest } from '@yuanbot/kit/canonical';
import type * as z from 'zod';
import type { PluginDocument } from './document.ts';
import type { Problem } from './model.ts';
import { fileProblem, type PluginFiles } from './plugin-files.ts';
import { type KeyTable, readShape } from './shape.ts';
import { readYaml } from './yaml-document.ts';

/** What one kind of YAML file looks like. */
export interface YamlFormat<T> {
  readonly schema: z.ZodType<T>;
  readonly keys: KeyTable;
  /** Top-level keys whose plain scalars stay as written. */
  readonly textKeys: ReadonlySet<string>;
  readonly maxBytes: number;
  /** What to do when the file is not there. */
  readonly mendMissing: string;
}

export type ReadYamlFile<T> =
  | {
      readonly value: T;
      /** Warnings. */
      readonly problems: readonly Problem[];
      readonly document: PluginDocument;
      /** Of the file's text. */
      readonly digest: string;
    }
  | {
      readonly value: undefined;
      readonly problems: readonly Problem[];
      /** What could be read all the same: for naming the capability, never for running it. */
      readonly partial: Readonly<Record<string, unknown>>;
    };

/** Reads and checks one YAML file of a plugin. Never rejects for what is in it. */
export async function readYamlFile<T>(files: PluginFiles, path: string, format: YamlFormat<T>): Promise<ReadYamlFile<T>> {
  const failed = (problems: readonly Problem[], partial = {}) => ({ value: undefined, problems, partial });
  let text: string | undefined;
  try {
    text = await files.readText(path, format.maxBytes);
  } catch (error) {
    return failed([fileProblem(error, path)]);
  }
  if (text === undefined) {
    return failed([{ severity: 'error', file: path, line: 0, message: 'The file is not there.', mend: format.mendMissing }]);
  }
  const { document, problems, ...rest } = readYaml(text, path, format.textKeys);
  if (document === undefined) return failed(problems, 'partial' in rest ? rest.partial : {});
  const shape = readShape(document, format.schema, format.keys);
  if (shape.value === undefined) return failed(shape.problems, document.value);
  return { value: shape.value, problems: shape.problems, document, digest: sha256Digest(text) };
}
