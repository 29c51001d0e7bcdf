import { createPrivateKey, createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { z } from 'zod';
import type { SigningKey } from './mint.ts';

/**
 * The signing key and the public keys on disk: `<dataDir>/keys/signing.jwk.json` (the orchestrator's alone, mode
 * 0600) and `<dataDir>/keys/public.jwks.json` (all that a sandbox manager needs), in JWK form (RFC 7517, RFC 8037).
 */
const SIGNING_KEY = 'signing.jwk.json';
const PUBLIC_KEYS = 'public.jwks.json';

const publicJwk = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), kid: z.string().min(1) });
const privateJwk = publicJwk.extend({ d: z.string() });
const jwks = z.object({ keys: z.array(publicJwk).min(1) });

/** Makes a key pair when there is none. Never replaces one: a lost public file is an error to mend by hand. */
export async function ensureKeys(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'keys');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readIfThere(join(folder, SIGNING_KEY))) !== undefined) return;
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(pair.publicKey);
  const named = { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'EdDSA', use: 'sig' };
  const { d } = await exportJWK(pair.privateKey);
  await writeWhole(join(folder, PUBLIC_KEYS), JSON.stringify({ keys: [named] }, null, 2), 0o644);
  await writeWhole(join(folder, SIGNING_KEY), JSON.stringify({ ...named, d }, null, 2), 0o600);
}

/** The key that the orchestrator signs with. Throws an `Error` that names the file and what to do. */
export async function readSigningKey(dataDir: string): Promise<SigningKey> {
  const file = join(dataDir, 'keys', SIGNING_KEY);
  const { kid, kty, crv, x, d } = parse(privateJwk, await readText(file), file);
  return { kid, privateKey: createPrivateKey({ key: { kty, crv, x, d }, format: 'jwk' }) };
}

/** The keys that a sandbox manager accepts, by `kid`. Throws as `readSigningKey`. */
export async function readPublicKeys(dataDir: string): Promise<ReadonlyMap<string, KeyObject>> {
  const file = join(dataDir, 'keys', PUBLIC_KEYS);
  const { keys } = parse(jwks, await readText(file), file);
  return new Map(keys.map(({ kid, kty, crv, x }) => [kid, createPublicKey({ key: { kty, crv, x }, format: 'jwk' })]));
}

async function readText(file: string): Promise<string> {
  const text = await readIfThere(file);
  if (text === undefined) throw new Error(`${file} is missing. \`npm start\` makes a key pair in a fresh data folder.`);
  return text;
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function parse<T>(schema: z.ZodType<T>, text: string, file: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(
      `${file} does not hold an Ed25519 key in JWK form. Restore it, or remove the folder to start with new keys.`,
      {
        cause: error,
      },
    );
  }
}

/** Whole or not at all, also when the machine stops in between. */
async function writeWhole(file: string, text: string, mode: number): Promise<void> {
  const partial = `${file}.${randomUUID()}.partial`;
  try {
    const handle = await open(partial, 'wx', mode);
    try {
      await handle.writeFile(`${text}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
