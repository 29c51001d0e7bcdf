import type { Capability, Problem, Tool } from './model.ts';

/** What exists, at this moment. */
export interface Registry {
  /** An immutable view; take one per request and use it throughout. */
  snapshot(): RegistrySnapshot;
  /** Bytes of an artifact or resource that a snapshot names, by digest; undefined when no snapshot names it any more. */
  readArtifact(digest: string): Promise<Uint8Array | undefined>;
  /** What the sandbox found when it made the tool ready; `undefined` clears it. Shown in the listing. */
  reportPreparation(toolId: string, executorDigest: string, problem: Problem | undefined): void;
}

export interface RegistrySnapshot {
  get(id: string): Capability | undefined;
  /** A tool by id, enabled or not. */
  tool(id: string): Tool | undefined;
  /** All, disabled ones included, ordered by id. */
  all(): readonly Capability[];
  /** Problems of files from which no capability came. */
  problems(): readonly Problem[];
}
