import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';

export const DEV_TOKEN_ALGORITHM = 'EdDSA';

export interface DevTokenKey {
  readonly id: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

/** Returns the path of the development token key. */
export function getDevTokenKeyPath(dataDirectory: string): string {
  return join(dataDirectory, 'keys', 'dev-token.json');
}

/** Loads the key that signs development tokens. Creates it at the first use; two processes may do so concurrently. */
export async function loadDevTokenKey(dataDirectory: string): Promise<DevTokenKey> {
  const file = getDevTokenKeyPath(dataDirectory);
  const jwk = (await readKey(file)) ?? (await createKey(file));
  const { kty, crv, x, kid = 'dev' } = jwk;
  const privateKey = await importJWK(jwk, DEV_TOKEN_ALGORITHM);
  const publicKey = await importJWK({ kty, crv, x } as JWK, DEV_TOKEN_ALGORITHM);
  if (privateKey instanceof Uint8Array || publicKey instanceof Uint8Array)
    throw new Error(`${file} does not contain an Ed25519 key.`);
  return { id: kid, privateKey, publicKey };
}

async function readKey(file: string): Promise<JWK | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as JWK;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw new Error(`The key for development tokens in ${file} cannot be read.`, { cause: error });
  }
}

/**
 * Creates the key file. The key is written to a temporary file that is then linked, so that no process reads an
 * incomplete key and the first of several writers wins.
 */
async function createKey(file: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(DEV_TOKEN_ALGORITHM, { crv: 'Ed25519', extractable: true });
  const jwk: JWK = { ...(await exportJWK(privateKey)), alg: DEV_TOKEN_ALGORITHM, kid: randomBytes(8).toString('hex') };
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporaryFile = `${file}.${process.pid}.${randomBytes(6).toString('hex')}`;
  const handle = await open(temporaryFile, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(jwk)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(temporaryFile, file);
    return jwk;
  } catch (error) {
    const existingKey = hasErrorCode(error, 'EEXIST') ? await readKey(file) : undefined;
    if (existingKey === undefined) throw error;
    return existingKey;
  } finally {
    await unlink(temporaryFile);
  }
}

function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
