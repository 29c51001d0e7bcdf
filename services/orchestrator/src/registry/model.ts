import type { ExecutorDescriptor, Limits, PermissionLevel } from '@yuanbot/contract';

/**
 * The one model every plugin format is normalised to. Values are frozen: a change of a file makes new
 * objects and a new snapshot, so that a call in flight keeps what it started with.
 */
export type Capability = Skill | Tool;

interface CapabilityBase {
  /** One namespace across skills and tools. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** As written: "1.10" stays "1.10". */
  readonly version: string;
  /** Capability domains, e.g. `daily_chat` or `daily_chat/weather`; at least one. */
  readonly domains: readonly string[];
  readonly tags: readonly string[];
  /** Empty: every persona. */
  readonly personaFilters: readonly string[];
  readonly enabled: boolean;
  readonly source: 'system' | 'user';
  /** A user's capability that stands in for a shipped one of the same id. */
  readonly overridesSystem: boolean;
  /** Relative to its source's root. */
  readonly file: string;
  /** `sha256:<hex>` over everything that defines it. */
  readonly digest: string;
  /** What it costs in a model's context, counted with a tokenizer. */
  readonly tokenCost: number;
  readonly problems: readonly Problem[];
  /** False when a problem of severity `error` stands against it, or when it is disabled. */
  readonly callable: boolean;
  /** The capability's own files that `ReadResource` may hand out (stage 3). */
  readonly resources: readonly Resource[];
}

export interface Skill extends CapabilityBase {
  readonly kind: 'skill';
  /** Injected whole (seed 003 §6.2). */
  readonly promptTemplate: string;
}

export interface Tool extends CapabilityBase {
  readonly kind: 'tool';
  /** The name a model calls it by; empty when its definition is broken. */
  readonly callName: string;
  readonly permissionLevel: PermissionLevel;
  /** When the user is asked; never looser than the level's own rule. */
  readonly confirm: 'never' | 'first_use' | 'always' | 'each_step';
  /** JSON Schema of the parameters, an object schema. */
  readonly parameters: JsonObject;
  /** The OpenAI function definition, `{type:"function",function:{…}}`, as JSON text. */
  readonly definitionJson: string;
  readonly executor: ToolExecutor;
  /** Where a readonly docker tool runs while no engine answers; only when it declares so. */
  readonly fallback: ToolExecutor | undefined;
  readonly limits: Limits;
  readonly scope: ToolScope;
}

export interface ToolExecutor {
  readonly descriptor: ExecutorDescriptor;
  /** `sha256:<hex>` of the canonical descriptor: the token's `digest` claim. */
  readonly digest: string;
}

/** What a call may reach, and the most its token may say (DESIGN §3, claim `scope`). */
export interface ToolScope {
  readonly fs: 'none' | 'read';
  /** `METHODS scheme://pattern:port` */
  readonly net: readonly string[];
  readonly db: readonly string[];
  /** Names of secrets. */
  readonly secrets: readonly string[];
}

export interface Resource {
  readonly path: string;
  readonly size: number;
  readonly digest: string;
  readonly mediaType: string;
}

export interface Problem {
  readonly severity: 'warning' | 'error';
  readonly file: string;
  /** 1-based; 0 when the problem is not of one line. */
  readonly line: number;
  readonly message: string;
  /** What to write instead. */
  readonly mend: string;
  /** Set when the sandbox found it, not the parser: the tool may be tried all the same, and a success clears it. */
  readonly foundBy?: 'sandbox';
}

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
