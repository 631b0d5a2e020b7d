import { type ApiError, isApiError, type ClockPort, type CoreConfiguration, type PeopleStore } from '@countersign/core';
import { hasRole } from '@countersign/contract';
import { errors } from 'jose';
import { createRefusal } from '../app/problem.js';
import { toPrincipal, type ClaimNames } from './claims.js';
import type { EndedSessions } from './ended-sessions.js';
import type { Logout } from './logout-token.js';
import { loadDevTokenKey, type DevTokenKey } from './dev-token-key.js';
import { verifyDevToken } from './dev-tokens.js';
import { IssuerUnavailableError, OidcIssuer } from './oidc-issuer.js';
import { principalHasRole, type Principal } from './principal.js';
import { TokenCache } from './token-cache.js';

const MAX_TOKEN_LENGTH = 16_384;
/** Value of the `Authorization` header with a bearer token (RFC 6750, 2.1, `b64token`). */
const BEARER_PATTERN = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;
const DEV_CLAIMS: ClaimNames = { roles: 'roles', groups: 'groups', userNames: ['preferred_username'] };

/** Determines the principal of a request from its `Authorization` header. */
export class Authenticator {
  readonly issuer: OidcIssuer | undefined;
  readonly devTokensEnabled: boolean;
  private readonly cache = new TokenCache();
  private readonly claims: ClaimNames;
  private readonly clientId: string | undefined;
  private readonly dataDirectory: string;
  private readonly developmentUsers: CoreConfiguration['Auth']['DevToken']['Users'];
  private devKey: Promise<DevTokenKey> | undefined;
  private recordedDevelopmentUsers: Promise<void> | undefined;

  /** @param clock clock for the validity of tokens */
  constructor(
    { Auth, Data }: Pick<CoreConfiguration, 'Auth' | 'Data'>,
    private readonly clock: Pick<ClockPort, 'now'>,
    private readonly endedSessions: EndedSessions,
    private readonly people: Pick<PeopleStore, 'recordPerson'>,
  ) {
    this.clientId = Auth.ClientId;
    this.issuer =
      Auth.Issuer === undefined ? undefined : new OidcIssuer(Auth.Issuer, Auth.Audience ?? '', Auth.MaxTokenAge);
    this.devTokensEnabled = Auth.DevToken.Enabled;
    this.developmentUsers = Auth.DevToken.Users;
    this.claims =
      this.issuer === undefined
        ? DEV_CLAIMS
        : {
            roles: Auth.RoleClaim,
            groups: Auth.GroupsClaim,
            userNames: [Auth.UserNameClaim].flat(),
            ...(Auth.ClaimSeparator === undefined ? {} : { separator: Auth.ClaimSeparator }),
          };
    this.dataDirectory = Data.Directory;
  }

  /**
   * Returns the principal of a token, and stores what it states about a person.
   *
   * @throws {ApiError} `unauthenticated`, `invalid_token`, `service_unavailable`
   */
  async authenticate(header: string | undefined): Promise<Principal> {
    const { principal, cacheKey, now } = await this.identifyPrincipal(header);
    if (cacheKey !== undefined) {
      await this.recordPerson(principal, now);
      this.cache.set(cacheKey, principal, now);
    }
    return principal;
  }

  /**
   * Returns the principal of a token. Stores nothing, so that probes get a response while the database is unavailable.
   *
   * @throws {ApiError} `unauthenticated`, `invalid_token`, `service_unavailable`
   */
  async authenticateProbe(header: string | undefined): Promise<Principal> {
    return (await this.identifyPrincipal(header)).principal;
  }

  /** Verifies a token. `cacheKey` is set if the person has not been stored yet. */
  private async identifyPrincipal(
    header: string | undefined,
  ): Promise<{ principal: Principal; cacheKey: string | undefined; now: number }> {
    const token = parseBearerToken(header);
    const key = TokenCache.getCacheKey(token);
    const now = this.clock.now();
    const cached = this.cache.get(key, now);
    const principal = cached ?? (await this.verify(token, new Date(now)));
    await this.requireActiveSession(principal);
    return { principal, cacheKey: cached === undefined ? key : undefined, now };
  }

  /**
   * Accepts a logout token of the issuer (OpenID Connect Back-Channel Logout 1.0).
   *
   * @throws {ApiError} `route_not_found`, `invalid_logout_token`, `service_unavailable`
   */
  async logout(token: string): Promise<Logout> {
    const { issuer, clientId } = this;
    if (issuer === undefined || clientId === undefined)
      throw createRefusal(
        'route_not_found',
        'No issuer can end sessions on this server: Auth:Issuer or Auth:ClientId is not configured.',
      );
    const logout = await verifyOrRefuse(() => issuer.verifyLogout(token, clientId, new Date(this.clock.now()))).catch(
      (error: unknown) => {
        throw isApiError(error) && error.code === 'invalid_token'
          ? createRefusal(
              'invalid_logout_token',
              'The logout token is malformed, too old, or not from a trusted issuer for this client.',
            )
          : error;
      },
    );
    if (await this.endedSessions.end(logout)) return logout;
    throw createRefusal('invalid_logout_token', 'The logout token has already been used.');
  }

  /**
   * Stores what the token states about a person, so that others can choose them, and refer to them in their absence.
   * Runs once per token and process. A token without name claims leaves the stored user names unchanged. If no name
   * claims are configured, the stored user names are removed.
   */
  private async recordPerson(principal: Principal, at: number): Promise<void> {
    const { actor, kind, userNames, groups, session } = principal;
    if (kind !== 'user') return;
    const token = {
      id: actor.id,
      names: (this.claims.userNames ?? []).length === 0 ? [] : userNames,
      displayName: actor.name,
      groups,
      mayDecide: principalHasRole(principal, 'approver'),
      issuedAt: session.issuedAt,
      at,
    };
    await this.people.recordPerson(token).catch((error: unknown) => {
      throw Object.assign(
        createRefusal(
          'service_unavailable',
          'The user names of the token cannot be stored, because the database is not responding.',
        ),
        { cause: error },
      );
    });
  }

  /**
   * Stores the users that a development server offers for sign-in, so that they can be chosen before they sign in. Runs
   * once per process. What the token of a user states takes precedence.
   */
  recordDevelopmentUsers(): Promise<void> {
    const at = this.clock.now();
    this.recordedDevelopmentUsers ??= Promise.all(
      this.developmentUsers.map(({ Subject, Name, Role, Groups }) =>
        this.people.recordPerson({
          id: Subject,
          names: null,
          displayName: Name ?? null,
          groups: Groups,
          mayDecide: hasRole(Role, 'approver'),
          issuedAt: 0,
          at,
        }),
      ),
    ).then(
      () => undefined,
      (error: unknown) => {
        this.recordedDevelopmentUsers = undefined;
        throw error;
      },
    );
    return this.recordedDevelopmentUsers;
  }

  private async requireActiveSession(principal: Principal): Promise<void> {
    if (this.issuer === undefined) return;
    await this.endedSessions.waitUntilLoaded().catch((error: unknown) => {
      throw Object.assign(
        createRefusal(
          'service_unavailable',
          'The ended sessions cannot be read, because the database is not responding.',
        ),
        { cause: error },
      );
    });
    if (this.endedSessions.has(principal))
      throw expiredTokenError('The session of the token has ended. Sign in again.', principal.actor.id);
  }

  /** Returns the origins that the web UI needs for sign-in; empty without an issuer. */
  async getIssuerOrigins(): Promise<readonly string[]> {
    return (await this.issuer?.getOrigins()) ?? [];
  }

  /** Returns the key of development tokens, and creates it at the first use. */
  getDevTokenKey(): Promise<DevTokenKey> {
    this.devKey ??= loadDevTokenKey(this.dataDirectory).catch((error: unknown) => {
      this.devKey = undefined;
      throw error;
    });
    return this.devKey;
  }

  private async verify(token: string, now: Date): Promise<Principal> {
    if (this.issuer !== undefined) {
      const { issuer } = this;
      return toPrincipal(await verifyOrRefuse(() => issuer.verify(token, now)), this.claims);
    }
    if (!this.devTokensEnabled)
      throw createRefusal(
        'invalid_token',
        'This server does not trust any token issuer: Auth:Issuer is not configured.',
      );
    const key = await this.getDevTokenKey();
    return toPrincipal(await verifyOrRefuse(() => verifyDevToken(key, token, now)), this.claims);
  }
}

function parseBearerToken(header: string | undefined): string {
  if (header === undefined || !/^Bearer( |$)/i.test(header))
    throw createRefusal('unauthenticated', 'Send a bearer token in the Authorization header.');
  const token = BEARER_PATTERN.exec(header)?.[1];
  if (token === undefined || token.length > MAX_TOKEN_LENGTH)
    throw createRefusal('invalid_token', 'The Authorization header does not contain a valid bearer token.');
  return token;
}

async function verifyOrRefuse<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    if (isApiError(error)) throw error;
    if (error instanceof errors.JWTExpired)
      throw expiredTokenError(
        error.claim === 'iat' ? 'The token was issued too long ago (Auth:MaxTokenAge).' : 'The token has expired.',
        String(error.payload.sub),
      );
    if (isIssuerError(error)) {
      throw Object.assign(
        createRefusal('service_unavailable', 'Tokens cannot be checked, because their issuer is not responding.'),
        { cause: error },
      );
    }
    // The response does not reveal which check failed, because that would help a forger.
    throw createRefusal('invalid_token', 'The token is malformed, not valid yet, or not from a trusted issuer.');
  }
}

/**
 * Creates the refusal of a genuine token that is no longer valid.
 *
 * @param holder the subject of the token
 */
function expiredTokenError(detail: string, holder: string): ApiError & { readonly formerHolder: string } {
  return Object.assign(createRefusal('invalid_token', detail), { formerHolder: holder });
}

/** Returns the subject of a token that was refused because it is no longer valid; `undefined` for other refusals. */
export function getFormerHolder(error: unknown): string | undefined {
  return isApiError(error) && 'formerHolder' in error && typeof error.formerHolder === 'string'
    ? error.formerHolder
    : undefined;
}

/**
 * Returns whether the issuer caused an error. An error of jose without a specific code comes from fetching keys, not
 * from the token.
 */
function isIssuerError(error: unknown): boolean {
  if (
    error instanceof IssuerUnavailableError ||
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid
  )
    return true;
  return !(error instanceof errors.JOSEError) || error.code === 'ERR_JOSE_GENERIC';
}
