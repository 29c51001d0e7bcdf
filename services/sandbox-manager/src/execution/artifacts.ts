/** Bytes by content digest, kept on disk. Nothing here is worth a backup: whoever needs it can put it again. */
export interface ArtifactStore {
  /** The bytes, or undefined when they are not held. */
  get(digest: string): Promise<Uint8Array | undefined>;
  /** Like `get`, but waits until somebody puts them; resolves to undefined when they are declared missing. Rejects when `signal` aborts. */
  wait(digest: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
  has(digest: string): Promise<boolean>;
  /** Keeps bytes. Throws a `RangeError` when they are not what the digest names. */
  put(digest: string, data: Uint8Array): Promise<void>;
  /** Tells everybody who waits for these bytes that they will not come. */
  declareMissing(digest: string): void;
}
