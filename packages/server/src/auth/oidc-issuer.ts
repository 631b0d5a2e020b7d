import { createRemoteJWKSet, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';

/** Asymmetric signatures only: a shared secret would let whoever checks tokens make them, and `none` is no signature. */
export const TOKEN_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

const CLOCK_TOLERANCE_SECONDS = 5;
const TIMEOUT_MS = 5_000;
const RETRY_MS = 5_000;

const discoverySchema = z.object({
  issuer: z.string(),
  jwks_uri: z.url(),
  authorization_endpoint: z.url().optional(),
  token_endpoint: z.url().optional(),
  userinfo_endpoint: z.url().optional(),
});

export type Discovery = z.infer<typeof discoverySchema>;

interface Found {
  readonly discovery: Discovery;
  readonly keys: JWTVerifyGetKey;
}

/** The issuer can't be reached, or is not what it should be: nobody can sign in now, and later perhaps they can. */
export class IssuerUnavailableError extends Error {
  constructor(issuer: string, cause: unknown) {
    super(`The keys of the issuer ${issuer} can not be had.`, { cause });
    this.name = 'IssuerUnavailableError';
  }
}

/** An OpenID Connect issuer whose tokens are taken (`Auth:Issuer`, `Auth:Audience`). */
export class OidcIssuer {
  private found: Promise<Found> | undefined;
  private failedAt = Number.NEGATIVE_INFINITY;
  private failure: unknown;

  constructor(
    readonly issuer: string,
    private readonly audience: string,
  ) {}

  /** @throws {IssuerUnavailableError}, or what jose throws where the token does not hold. */
  async verify(token: string): Promise<JWTPayload> {
    const { keys } = await this.discover();
    const { payload } = await jwtVerify(token, keys, {
      issuer: this.issuer,
      audience: this.audience,
      algorithms: TOKEN_ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['sub', 'exp'],
    });
    return payload;
  }

  async discovery(): Promise<Discovery> {
    return (await this.discover()).discovery;
  }

  /** Where pages that sign people in have to be allowed to send requests: what is known without waiting for long. */
  async origins(): Promise<readonly string[]> {
    const found = await this.discovery().catch(() => undefined);
    const addresses = [this.issuer, found?.token_endpoint, found?.userinfo_endpoint, found?.jwks_uri];
    return [...new Set(addresses.flatMap((address) => (address === undefined ? [] : [new URL(address).origin])))];
  }

  private discover(): Promise<Found> {
    // An issuer that is down is not asked again for each request.
    if (this.found === undefined && Date.now() - this.failedAt < RETRY_MS) {
      return Promise.reject(new IssuerUnavailableError(this.issuer, this.failure));
    }
    this.found ??= this.load().catch((cause: unknown) => {
      this.found = undefined;
      this.failedAt = Date.now();
      this.failure = cause;
      throw new IssuerUnavailableError(this.issuer, cause);
    });
    return this.found;
  }

  private async load(): Promise<Found> {
    const discovery = await fetchDiscovery(this.issuer);
    return { discovery, keys: createRemoteJWKSet(new URL(discovery.jwks_uri), { timeoutDuration: TIMEOUT_MS }) };
  }
}

/** What an issuer says of itself. @throws where it can't be had, or is about somebody else. */
export async function fetchDiscovery(issuer: string): Promise<Discovery> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(address, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: 'application/json' },
  });
  if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
  const discovery = discoverySchema.parse(await response.json());
  // OpenID Connect Discovery, 4.3: another issuer's document must not be taken for this one's.
  if (discovery.issuer !== issuer) throw new Error(`${address} is about the issuer ${discovery.issuer}.`);
  return discovery;
}
