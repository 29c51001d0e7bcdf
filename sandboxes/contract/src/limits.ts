/** What one call may use. Always taken from the execution token's verified claims, never from a request. */
export interface Limits {
  /** Wall time of the tool itself, in milliseconds; waiting for a person does not count. */
  readonly timeoutMs: number;
  /** Memory of the tool, in MiB. */
  readonly memoryMb: number;
  /** Share of CPU, in cores (0.5 is half a core). */
  readonly cpus: number;
  /** Processes and threads together (docker). */
  readonly pids: number;
  /** Bytes of UTF-8 the tool may print in all. More is ERR_OUTPUT_LIMIT, never a cut result. */
  readonly outputBytes: number;
}
