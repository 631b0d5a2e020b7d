import type { CoreConfiguration } from '@countersign/core';
import { errors, type JWTPayload } from 'jose';
import { refusal } from '../app/problem.js';
import { principalOf, type ClaimNames } from './claims.js';
import { loadDevTokenKey, type DevTokenKey } from './dev-token-key.js';
import { verifyDevToken } from './dev-tokens.js';
import { IssuerUnavailableError, OidcIssuer } from './oidc-issuer.js';
import type { Principal } from './principal.js';
import { TokenCache } from './token-cache.js';

const MAX_TOKEN_LENGTH = 16_384;
/** RFC 6750, 2.1 (`b64token`). */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;
const DEV_CLAIMS: ClaimNames = { roles: 'roles', groups: 'groups' };

/** Tells from the `Authorization` header who asks. */
export class Authenticator {
  readonly issuer: OidcIssuer | undefined;
  readonly devTokensEnabled: boolean;
  private readonly cache = new TokenCache();
  private readonly claims: ClaimNames;
  private readonly dataDirectory: string;
  private devKey: Promise<DevTokenKey> | undefined;

  constructor({ Auth, Data }: Pick<CoreConfiguration, 'Auth' | 'Data'>) {
    this.issuer = Auth.Issuer === undefined ? undefined : new OidcIssuer(Auth.Issuer, Auth.Audience ?? '');
    this.devTokensEnabled = Auth.DevToken.Enabled;
    this.claims = { roles: Auth.RoleClaim, groups: Auth.GroupsClaim };
    this.dataDirectory = Data.Directory;
  }

  /** @throws {CountersignError} `unauthenticated`, `invalid_token`, `service_unavailable` */
  async authenticate(header: string | undefined): Promise<Principal> {
    const token = tokenOf(header);
    const key = TokenCache.keyOf(token);
    const now = Date.now();
    const known = this.cache.get(key, now);
    if (known !== undefined) return known;
    const principal = await this.verify(token);
    this.cache.set(key, principal, now);
    return principal;
  }

  /** Origins that the web UI needs to sign people in; none without an issuer. */
  async issuerOrigins(): Promise<readonly string[]> {
    return (await this.issuer?.origins()) ?? [];
  }

  /** The key of development tokens, made at the first use. */
  devTokenKey(): Promise<DevTokenKey> {
    this.devKey ??= loadDevTokenKey(this.dataDirectory).catch((error: unknown) => {
      this.devKey = undefined;
      throw error;
    });
    return this.devKey;
  }

  private async verify(token: string): Promise<Principal> {
    if (this.issuer !== undefined) {
      const { issuer } = this;
      return principalOf(await checked(() => issuer.verify(token)), this.claims);
    }
    if (!this.devTokensEnabled)
      throw refusal('invalid_token', 'This server trusts no issuer of tokens: Auth:Issuer is not configured.');
    const key = await this.devTokenKey();
    return principalOf(await checked(() => verifyDevToken(key, token)), DEV_CLAIMS);
  }
}

function tokenOf(header: string | undefined): string {
  if (header === undefined || !/^Bearer( |$)/i.test(header))
    throw refusal('unauthenticated', 'Send a bearer token in the Authorization header.');
  const token = BEARER.exec(header)?.[1];
  if (token === undefined || token.length > MAX_TOKEN_LENGTH)
    throw refusal('invalid_token', 'The Authorization header holds no bearer token.');
  return token;
}

async function checked(verify: () => Promise<JWTPayload>): Promise<JWTPayload> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw refusal('invalid_token', 'The token has expired.');
    if (isIssuerTrouble(error)) {
      throw Object.assign(
        refusal('service_unavailable', 'Tokens can not be checked now, because their issuer does not answer.'),
        { cause: error },
      );
    }
    // Which check failed is nothing that a forger should learn.
    throw refusal('invalid_token', 'The token is malformed, not valid yet, or not from a trusted issuer.');
  }
}

/** What jose throws without a code of its own comes from fetching keys, not from the token. */
function isIssuerTrouble(error: unknown): boolean {
  if (
    error instanceof IssuerUnavailableError ||
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid
  )
    return true;
  return !(error instanceof errors.JOSEError) || error.code === 'ERR_JOSE_GENERIC';
}
