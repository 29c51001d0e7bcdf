import type { Capability } from '../registry/model.ts';

/** What numbers, flags and the frame of a message take at most, in bytes. */
const FRAME = 64;
/** What announces a text in a message: its field and its length. */
const BEFORE_TEXT = 6;

/** What a capability takes in a listing, in bytes of the protocol: never less than it does, and little more. */
export function listedBytes(capability: Capability): number {
  const { id, name, description, version, domains, tags, personaFilters, source, file, digest, problems } = capability;
  const texts = [id, name, description, version, ...domains, ...tags, ...personaFilters, source, file, digest];
  const ofProblems = problems.reduce((sum, problem) => sum + FRAME + sumBytes([problem.file, problem.message, problem.mend]), 0);
  return FRAME + sumBytes(texts) + ofProblems;
}

function sumBytes(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + BEFORE_TEXT + Buffer.byteLength(text), 0);
}
