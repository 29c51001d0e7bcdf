import { createBuildArguments } from './build-arguments.ts';
import { buildRefusal, quoted } from './build-refusal.ts';
import { type Instruction, readInstruction, readInstructions } from './dockerfile-lines.ts';
import { missingImage } from './image-reference.ts';

/** An image of this machine, as a Dockerfile may build on it. */
export interface BaseImage {
  /** `sha256:` and 64 hex digits. */
  readonly id: string;
  /** Instructions that the engine performs in every build on this image. */
  readonly onBuild: readonly string[];
}

/** Looks an image up on this machine, by name or id. Never pulls. */
export type FindBase = (reference: string) => Promise<BaseImage | undefined>;

/**
 * Writes a Dockerfile anew, so that the engine performs what was read here and can fetch nothing, by any reading:
 * one instruction a line, no comments (`# syntax=` names an image), no ADD, and every image named by the id of one
 * that is on this machine. A bare id is never pulled: no registry may have a repository of 64 hex digits.
 * Rejects with ERR_SANDBOX_START and what to change.
 */
export async function pinnedDockerfile(content: Uint8Array, findBase: FindBase): Promise<string> {
  const buildArguments = createBuildArguments();
  const stages: string[] = [];

  async function pinned(reference: string, role: string): Promise<string> {
    const base = await findBase(reference);
    if (base === undefined) throw missingImage(`The image cannot be built: its ${role}`, reference);
    for (const trigger of base.onBuild) checkForeignTrigger(trigger, reference);
    return bareId(base.id);
  }

  async function from({ rest }: Instruction): Promise<string> {
    const [, platform = '', written = '', as = '', name = ''] = FROM.exec(rest) ?? [];
    if (written === '') throw buildRefusal(`${quoted(`FROM ${rest}`)} must be \`FROM image\` or \`FROM image AS name\``);
    const reference = buildArguments.substitute(written);
    if (reference === undefined) {
      throw buildRefusal(`the image of ${quoted(`FROM ${rest}`)} is not known before the build; write its name`);
    }
    const stage = reference.toLowerCase();
    const known = reference === 'scratch' || stages.includes(stage);
    const base = known ? stage : await pinned(reference, 'base image');
    stages.push(name.toLowerCase());
    return `FROM ${platform}${base}${as}${name}`;
  }

  async function copy({ rest }: Instruction): Promise<string> {
    const { flags, files } = copyFlags(rest);
    const written = await Promise.all(
      flags.map(async ({ flag, value }) => `--${flag}=${flag === 'from' ? await source(value) : value} `),
    );
    return `COPY ${written.join('')}${files}`;
  }

  /** Only stages that are complete: the engine takes the name of a later one for an image's. */
  async function source(reference: string): Promise<string> {
    const complete = stages.slice(0, -1);
    const stage = reference.toLowerCase();
    if (complete.includes(stage)) return stage;
    if (/^\d{1,3}$/.test(reference) && Number(reference) < complete.length) return String(Number(reference));
    return pinned(reference, 'COPY --from image');
  }

  const lines: string[] = [];
  for (const instruction of readInstructions(decoded(content))) {
    if (instruction.word === 'ARG' && stages.length === 0) buildArguments.declare(instruction.rest);
    if (instruction.word === 'FROM') lines.push(await from(instruction));
    else if (instruction.word === 'COPY') lines.push(await copy(instruction));
    else lines.push(asWritten(instruction));
  }
  return `${lines.join('\n')}\n`;
}

const FROM = /^(--platform=[\w/.-]+[ \t]+)?([^\s-]\S*)(?:([ \t]+AS[ \t]+)([A-Za-z][\w.-]*))?$/i;

function bareId(id: string): string {
  const hex = /^sha256:([0-9a-f]{64})$/.exec(id)?.[1];
  if (hex === undefined) throw buildRefusal(`the engine names an image by ${quoted(id)}`);
  return hex;
}

/** An instruction as it is, when it makes the engine fetch nothing. */
function asWritten(instruction: Instruction): string {
  const { word, rest } = instruction;
  const text = `${word} ${rest}`;
  switch (word) {
    case 'ADD':
      // Unpacking is done by the engine itself, outside every limit of the build.
      throw buildRefusal(
        `builds have no network, and ${quoted(text)} would have the engine fetch or unpack something; put the file into the tool's folder, use COPY, and unpack it with RUN`,
      );
    case 'RUN':
      if (rest.startsWith('--')) throw buildRefusal(`${quoted(text)}: RUN takes no flags here`);
      return text;
    case 'ONBUILD':
      return `ONBUILD ${trigger(readInstruction(rest))}`;
    default:
      return text;
  }
}

/** Triggers run in builds whose stages and images are not known yet. */
function trigger(instruction: Instruction): string {
  const { word, rest } = instruction;
  const isElsewhere = word === 'COPY' && copyFlags(rest).flags.some(({ flag }) => flag === 'from');
  if (isElsewhere || word === 'FROM' || word === 'ONBUILD') {
    throw buildRefusal(`${quoted(`${word} ${rest}`)} cannot be an ONBUILD instruction`);
  }
  return asWritten(instruction);
}

/** The engine reads a trigger of an image as it is, so it must be one plain line by any reading. */
function checkForeignTrigger(text: string, reference: string): void {
  try {
    const [only, ...more] = readInstructions(text);
    if (only === undefined || more.length > 0 || /\n|\\\p{White_Space}*$/u.test(text)) throw buildRefusal('it is not one line');
    trigger(only);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw buildRefusal(`${quoted(reference)} brings the ONBUILD instruction ${quoted(text)} (${why})`);
  }
}

/** A flag of COPY, written so plainly that every release reads it alike. */
const COPY_FLAG = /^--(from|chown|chmod)=([\w.\-/:@]+)[ \t]+/;

function copyFlags(rest: string): { flags: readonly { flag: string; value: string }[]; files: string } {
  const flags: { flag: string; value: string }[] = [];
  let files = rest;
  for (let found = COPY_FLAG.exec(files); found !== null; found = COPY_FLAG.exec(files)) {
    const [all, flag = '', value = ''] = found;
    flags.push({ flag, value });
    files = files.slice(all.length);
  }
  if (files.startsWith('--')) {
    throw buildRefusal(`${quoted(`COPY ${rest}`)}: COPY takes only the flags --from=, --chown= and --chmod=, with plain values`);
  }
  return { flags, files };
}

function decoded(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw buildRefusal('the Dockerfile is not UTF-8 text');
  }
}
