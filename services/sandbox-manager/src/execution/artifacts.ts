/** Bytes by content digest, kept on disk. Nothing here is worth a backup: whoever needs it can put it again. */
export interface ArtifactStore {
  /** The bytes, or undefined when they are not held. */
  get(digest: string): Promise<Uint8Array | undefined>;
  /** Resolves to the bytes when somebody puts them. Rejects when `signal` aborts. */
  wait(digest: string, signal: AbortSignal): Promise<Uint8Array>;
  has(digest: string): Promise<boolean>;
  /** Keeps bytes; true when they were held already. Rejects with a `RangeError` when they are not what the digest names. */
  put(digest: string, data: Uint8Array): Promise<boolean>;
}
