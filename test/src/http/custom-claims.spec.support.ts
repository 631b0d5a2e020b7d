import { currentTime } from '@countersign/testing';
import { createPrivateKey, sign, type JsonWebKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, type Client } from '@countersign/contract';
import type { TestHost } from '@countersign/testing';

type Claims = Readonly<Record<string, unknown>>;

/** Returns a development token with any claims, including claims that the server never issues. */
export async function createTokenWithClaims(host: TestHost, claims: Claims): Promise<string> {
  // Creates the signing key if it does not exist yet.
  await host.token('viewer');
  const jwk = JSON.parse(await readFile(join(host.dataDirectory, 'keys', 'dev-token.json'), 'utf8')) as JsonWebKey & {
    readonly kid: string;
  };
  const now = Math.floor(currentTime() / 1000);
  const payload = { iss: 'urn:countersign:development', aud: 'countersign', iat: now, exp: now + 3_600, ...claims };
  const signingInput = [{ alg: 'EdDSA', kid: jwk.kid, typ: 'JWT' }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signingInput}.${sign(null, Buffer.from(signingInput), createPrivateKey({ key: jwk, format: 'jwk' })).toString('base64url')}`;
}

/** Returns a client with a development token that contains the claims. */
export async function createClientWithClaims(host: TestHost, claims: Claims): Promise<Client> {
  return createClient({ baseUrl: host.url, token: await createTokenWithClaims(host, claims) });
}
