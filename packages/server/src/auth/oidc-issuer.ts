import { createRemoteJWKSet, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { logoutOf, type Logout } from './logout-token.js';
import { requireAccessToken } from './access-token.js';

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
/** How old a logout token may be: it is sent at once, and issuers try again for a short while. */
const LOGOUT_AGE_SECONDS = 300;
const TIMEOUT_MS = 5_000;
const RETRY_MS = 5_000;

const discoverySchema = z.object({
  issuer: z.string(),
  jwks_uri: z.url(),
  authorization_endpoint: z.url().optional(),
  token_endpoint: z.url().optional(),
  userinfo_endpoint: z.url().optional(),
  revocation_endpoint: z.url().optional(),
});

export type Discovery = z.infer<typeof discoverySchema>;

interface Found {
  readonly discovery: Discovery;
  readonly keys: JWTVerifyGetKey;
}

/** The issuer can't be reached, or is not what it should be: nobody can sign in now, and later perhaps they can. */
export class IssuerUnavailableError extends Error {
  constructor(issuer: string, cause: unknown) {
    super(`The keys of the issuer ${issuer} are not available.`, { cause });
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
    /** In ms: how old a token may be, by its `iat`. */
    private readonly maxTokenAgeMs: number,
  ) {}

  /** @returns the claims; `exp` is when the token ceases to hold here  @throws {IssuerUnavailableError}, or what jose throws where the token does not hold. */
  async verify(token: string, now: Date): Promise<JWTPayload> {
    const { keys } = await this.discover();
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: this.issuer,
      audience: this.audience,
      algorithms: TOKEN_ALGORITHMS,
      currentDate: now,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: this.maxTokenAgeMs / 1000,
      requiredClaims: ['sub', 'exp', 'iat'],
    });
    requireAccessToken(protectedHeader, payload);
    // What is kept and what stays open for as long as the token holds ends with its age, too.
    const { exp = 0, iat = 0 } = payload;
    return { ...payload, exp: Math.min(exp, iat + this.maxTokenAgeMs / 1000) };
  }

  /**
   * @param clientId whom logout tokens are for: the client that people sign in with here
   * @throws {IssuerUnavailableError | ApiError}, or what jose throws where the token does not hold
   */
  async verifyLogout(token: string, clientId: string, currentDate: Date): Promise<Logout> {
    const { keys } = await this.discover();
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: this.issuer,
      audience: clientId,
      algorithms: TOKEN_ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: LOGOUT_AGE_SECONDS,
      currentDate,
      requiredClaims: ['iat', 'jti', 'events'],
    });
    return logoutOf(protectedHeader, payload);
  }

  async discovery(): Promise<Discovery> {
    return (await this.discover()).discovery;
  }

  /** Where pages that sign people in have to be allowed to send requests: what is known without waiting for long. */
  async origins(): Promise<readonly string[]> {
    const found = await this.discovery().catch(() => undefined);
    const addresses = [
      this.issuer,
      found?.token_endpoint,
      found?.userinfo_endpoint,
      found?.revocation_endpoint,
      found?.jwks_uri,
    ];
    return [...new Set(addresses.flatMap((address) => (address === undefined ? [] : [new URL(address).origin])))];
  }

  private discover(): Promise<Found> {
    // An issuer that is down is not asked again for each request.
    if (this.found === undefined && performance.now() - this.failedAt < RETRY_MS) {
      return Promise.reject(new IssuerUnavailableError(this.issuer, this.failure));
    }
    this.found ??= this.load().catch((cause: unknown) => {
      this.found = undefined;
      this.failedAt = performance.now();
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

/** The metadata of an issuer (RFC 8414). @throws where it is not available, or names another issuer. */
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
