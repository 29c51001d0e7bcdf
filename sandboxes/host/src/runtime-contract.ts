/**
 * What a driver's worker implements, so that the host process can run it: see `serveRuntime`.
 * A runtime lives in a worker thread of a host process and runs one call at a time.
 */
export interface Runtime {
  /**
   * Checks a program and keeps what makes the next `run` of it fast. Throws `ToolCallError`
   * ERR_SANDBOX_START with the cause in words.
   */
  prepare(program: Program): void | Promise<void>;

  /** Runs one call to its end and resolves to the result. Throws `ToolCallError`. */
  run(program: Program, call: RuntimeCall): Promise<RuntimeResult>;
}

export interface Program {
  /** `sha256:<hex>` of the canonical executor descriptor: the key to cache by. */
  readonly digest: string;
  readonly artifact: Uint8Array;
  readonly command: readonly string[];
  readonly env: readonly string[];
  readonly resources: ReadonlyMap<string, Uint8Array>;
}

export interface RuntimeCall {
  readonly paramsJson: string;
  readonly approved: boolean;
  readonly userId: string;
  readonly invocationId: string;
  readonly memoryMb: number;
  readonly outputBytes: number;
  /** Has the platform perform a step (JSON text of a protocol step); resolves to the answer's JSON text. */
  performStep(stepJson: string): Promise<{ field: 'response' | 'db_response'; json: string }>;
}

export interface RuntimeResult {
  readonly contentJson: string;
  readonly parts: readonly { mediaType: string; data: string; uri: string; name: string }[];
  readonly steps: number;
  /** 0 where it cannot be told. */
  readonly peakMemoryBytes: number;
}
