/** Where a tool runs. The names are those of a tool's file (`executor.type`). */
export const SANDBOX_KINDS = ['docker', 'wasm', 'local_thread'] as const;
export type SandboxKind = (typeof SANDBOX_KINDS)[number];

export const TOOL_PROTOCOLS = ['oneshot', 'serve'] as const;
export type ToolProtocol = (typeof TOOL_PROTOCOLS)[number];

export const PERMISSION_LEVELS = ['readonly', 'user_data', 'system'] as const;
export type PermissionLevel = (typeof PERMISSION_LEVELS)[number];

/**
 * What is executed, completely: two calls with the same descriptor run the same code. Its RFC 8785
 * form is what the execution token's `digest` claim covers, so every field is always present.
 */
export interface ExecutorDescriptor {
  readonly kind: SandboxKind;
  /** docker: an image reference; empty when the image is built from the artifact. */
  readonly image: string;
  /** `sha256:<hex>` of the wasm module, JS bundle or build context (a tar); empty for `image`. */
  readonly artifact: string;
  /** docker: argv that replaces the image's own; wasm: argv after the program name. */
  readonly command: readonly string[];
  /** Names (never values) of the secrets the tool sees placeholders for. */
  readonly env: readonly string[];
  readonly protocol: ToolProtocol;
  readonly network: 'none' | 'proxy';
  /** The tool's own read-only files, sorted by path; empty unless the tool declares `fs: read`. */
  readonly resources: readonly ResourceFile[];
}

export interface ResourceFile {
  /** Relative, forward slashes, no `.` or `..` segment. */
  readonly path: string;
  /** `sha256:<hex>` of the content. */
  readonly digest: string;
}
