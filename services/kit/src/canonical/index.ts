import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * RFC 8785 canonical JSON: the bytes that digests and the token's `params_sha256` cover. Throws a
 * TypeError for what JSON cannot hold (undefined, NaN, infinities, lone surrogates).
 */
export function canonicalJson(value: unknown): string {
  let text: string | undefined;
  try {
    text = canonicalize(value);
  } catch (error) {
    throw new TypeError(`not canonical JSON: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  if (text === undefined) throw new TypeError('not canonical JSON: the value is not a JSON value');
  return text;
}

/** `sha256:<64 lower-case hex>` of the bytes, or of the text's UTF-8. */
export function sha256Digest(data: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(data).digest('hex')}`;
}
