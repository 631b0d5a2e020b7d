import { createRemoteJWKSet, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { parseLogoutClaims, type Logout } from './logout-token.js';
import { requireAccessToken } from './access-token.js';

/** Asymmetric algorithms only: with a shared secret, any verifier could forge tokens, and `none` is not a signature. */
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
/** Maximum age of a logout token: issuers send it immediately and retry for a short time only. */
const MAX_LOGOUT_AGE_SECONDS = 300;
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

interface IssuerMetadata {
  readonly discovery: Discovery;
  readonly keys: JWTVerifyGetKey;
}

/** Thrown when the issuer is unreachable or misconfigured. Sign-in fails now, but may work later. */
export class IssuerUnavailableError extends Error {
  constructor(issuer: string, cause: unknown) {
    super(`The keys of the issuer ${issuer} are not available.`, { cause });
    this.name = 'IssuerUnavailableError';
  }
}

/** An OpenID Connect issuer whose tokens are accepted (`Auth:Issuer`, `Auth:Audience`). */
export class OidcIssuer {
  private metadata: Promise<IssuerMetadata> | undefined;
  private failedAt = Number.NEGATIVE_INFINITY;
  private failure: unknown;

  constructor(
    readonly issuer: string,
    private readonly audience: string,
    /** Maximum age of a token by its `iat`, in ms. */
    private readonly maxTokenAgeMs: number,
  ) {}

  /**
   * Verifies an access token.
   *
   * @returns the claims; `exp` is the time until which this server accepts the token
   * @throws {IssuerUnavailableError}, or the error of jose if the token is not valid
   */
  async verify(token: string, now: Date): Promise<JWTPayload> {
    const { keys } = await this.getMetadata();
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
    // Caches and streams that follow `exp` must also respect the maximum age of the token.
    const { exp = 0, iat = 0 } = payload;
    return { ...payload, exp: Math.min(exp, iat + this.maxTokenAgeMs / 1000) };
  }

  /**
   * Verifies a logout token.
   *
   * @param clientId the audience of logout tokens: the client with which users sign in here
   * @throws {IssuerUnavailableError | ApiError}, or the error of jose if the token is not valid
   */
  async verifyLogout(token: string, clientId: string, currentDate: Date): Promise<Logout> {
    const { keys } = await this.getMetadata();
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: this.issuer,
      audience: clientId,
      algorithms: TOKEN_ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: MAX_LOGOUT_AGE_SECONDS,
      currentDate,
      requiredClaims: ['iat', 'jti', 'events'],
    });
    return parseLogoutClaims(protectedHeader, payload);
  }

  async getDiscovery(): Promise<Discovery> {
    return (await this.getMetadata()).discovery;
  }

  /**
   * Returns the origins to which sign-in pages must be able to send requests. If discovery fails, returns only the
   * issuer's.
   */
  async getOrigins(): Promise<readonly string[]> {
    const discovered = await this.getDiscovery().catch(() => undefined);
    const addresses = [
      this.issuer,
      discovered?.token_endpoint,
      discovered?.userinfo_endpoint,
      discovered?.revocation_endpoint,
      discovered?.jwks_uri,
    ];
    return [...new Set(addresses.flatMap((address) => (address === undefined ? [] : [new URL(address).origin])))];
  }

  private getMetadata(): Promise<IssuerMetadata> {
    // While the issuer is down, discovery is not repeated for each request.
    if (this.metadata === undefined && performance.now() - this.failedAt < RETRY_MS) {
      return Promise.reject(new IssuerUnavailableError(this.issuer, this.failure));
    }
    this.metadata ??= this.fetchMetadata().catch((cause: unknown) => {
      this.metadata = undefined;
      this.failedAt = performance.now();
      this.failure = cause;
      throw new IssuerUnavailableError(this.issuer, cause);
    });
    return this.metadata;
  }

  private async fetchMetadata(): Promise<IssuerMetadata> {
    const discovery = await fetchDiscovery(this.issuer);
    return { discovery, keys: createRemoteJWKSet(new URL(discovery.jwks_uri), { timeoutDuration: TIMEOUT_MS }) };
  }
}

/**
 * Fetches the metadata of an issuer (OpenID Connect Discovery, 4).
 *
 * @throws {Error} if the metadata is not available or names another issuer
 */
export async function fetchDiscovery(issuer: string): Promise<Discovery> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(address, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: 'application/json' },
  });
  if (!response.ok) throw new Error(`${address} responded with status ${response.status}.`);
  const discovery = discoverySchema.parse(await response.json());
  // OpenID Connect Discovery, 4.3: the document of another issuer must not be accepted.
  if (discovery.issuer !== issuer) throw new Error(`${address} describes another issuer: ${discovery.issuer}.`);
  return discovery;
}
