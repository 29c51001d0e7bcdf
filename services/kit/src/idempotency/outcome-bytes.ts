/** What an outcome is made of, as far as its size goes. */
export interface SizedOutcome {
  readonly contentJson: string | undefined;
  readonly parts: readonly { readonly data: string; readonly uri: string }[];
  readonly error: { readonly message: string } | undefined;
}

/** Objects, ids and numbers of an outcome, roughly, in bytes. */
const FRAME_BYTES = 512;
/** Of a UTF-16 text in memory. */
const BYTES_PER_UNIT = 2;

/** What keeping an outcome in memory costs, roughly, in bytes. */
export function outcomeBytes({ contentJson, parts, error }: SizedOutcome): number {
  const partBytes = parts.reduce((sum, part) => sum + part.data.length + part.uri.length, 0);
  return FRAME_BYTES + BYTES_PER_UNIT * ((contentJson?.length ?? 0) + (error?.message.length ?? 0)) + partBytes;
}
