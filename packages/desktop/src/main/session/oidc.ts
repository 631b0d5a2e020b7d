import type { AuthConfig } from '@countersign/contract';
import * as oidc from 'openid-client';
import { netFetch } from '../net/net-fetch.js';
import { isLoopback, isSecure } from '../servers/server-url.js';
import { IssuerError } from './issuer-error.js';
import { listenOnLoopback } from './loopback-listener.js';
import type { TokenSet } from './token-vault.js';

export interface OidcDependencies {
  /** Opens an address in the operating system's browser. */
  openInBrowser(url: URL): Promise<void>;
}

/** Requirements for a sign-in that must not rely on an earlier authentication. */
export interface FreshSignIn {
  /** Maximum age of the authentication, in seconds. */
  readonly maxAgeSeconds: number;
  /** Authentication context classes; empty: any. */
  readonly acrValues: readonly string[];
}

/**
 * Signs in at an issuer through the operating system's browser: code flow with PKCE and a loopback redirect (RFC 8252).
 * The issuer's pages never appear in a window of this application, which could read typed passwords.
 */
export class Oidc {
  private config: oidc.Configuration | undefined;

  constructor(
    private readonly auth: AuthConfig,
    private readonly server: URL,
    private readonly dependencies: OidcDependencies,
  ) {}

  /**
   * @param freshSignIn if given, the user must authenticate again, even with an existing session at the issuer
   *   (OpenID Connect Core, 3.1.2.1)
   * @throws {IssuerError} if the issuer cannot be used
   * @throws {Error} if the issuer refuses the sign-in or the user cancels it (`signal`)
   */
  async signIn(signal: AbortSignal, freshSignIn?: FreshSignIn): Promise<TokenSet> {
    const config = await this.discover();
    const listener = await listenOnLoopback(signal);
    try {
      const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
      const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()];
      const scope = this.auth.scopes.length === 0 ? 'openid profile' : this.auth.scopes.join(' ');
      const authorizationUrl = oidc.buildAuthorizationUrl(config, {
        redirect_uri: listener.redirectUri,
        scope,
        state: expectedState,
        code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        ...buildPromptParam(scope, freshSignIn),
        ...(freshSignIn === undefined ? {} : { max_age: String(freshSignIn.maxAgeSeconds) }),
        ...(freshSignIn === undefined || freshSignIn.acrValues.length === 0
          ? {}
          : { acr_values: freshSignIn.acrValues.join(' ') }),
        ...(scope.split(' ').includes('openid') ? { nonce: expectedNonce } : {}),
      });
      if (!this.isAllowedUrl(authorizationUrl)) throw new IssuerError('The issuer’s sign-in address is not secure.');
      await this.dependencies.openInBrowser(authorizationUrl);
      const callbackUrl = await listener.callback;
      const checks = {
        pkceCodeVerifier,
        expectedState,
        ...(scope.split(' ').includes('openid')
          ? { expectedNonce, ...(freshSignIn === undefined ? {} : { maxAge: freshSignIn.maxAgeSeconds }) }
          : {}),
      };
      return toTokenSet(await oidc.authorizationCodeGrant(config, callbackUrl, checks));
    } finally {
      listener.close();
    }
  }

  /**
   * Renews an expiring token.
   *
   * @throws {Error} if the issuer does not return a new token
   */
  async renew(tokenSet: TokenSet): Promise<TokenSet> {
    if (tokenSet.refreshToken === null) throw new IssuerError('The session can’t be renewed.');
    const renewed = toTokenSet(await oidc.refreshTokenGrant(await this.discover(), tokenSet.refreshToken));
    // If the issuer returns no new refresh token, the old one stays valid (RFC 6749, 6).
    return { ...renewed, refreshToken: renewed.refreshToken ?? tokenSet.refreshToken };
  }

  /** Revokes the tokens at the issuer (RFC 7009), if it has a revocation endpoint. */
  async revoke(tokenSet: TokenSet): Promise<void> {
    const config = await this.discover();
    if (config.serverMetadata().revocation_endpoint === undefined) return;
    if (tokenSet.refreshToken !== null)
      await oidc.tokenRevocation(config, tokenSet.refreshToken, { token_type_hint: 'refresh_token' });
    // An issuer need not support revoking access tokens (RFC 7009, 2.2.1), for example self-contained ones that only
    // expire.
    await oidc
      .tokenRevocation(config, tokenSet.accessToken, { token_type_hint: 'access_token' })
      .catch((error: unknown) => {
        if (!(error instanceof oidc.ResponseBodyError) || error.error !== 'unsupported_token_type') throw error;
      });
  }

  private async discover(): Promise<oidc.Configuration> {
    if (this.config !== undefined) return this.config;
    const { issuer, clientId } = this.auth;
    if (issuer === null || clientId === null)
      throw new IssuerError('The server does not provide an issuer or a client id for signing in.');
    const url = new URL(issuer);
    if (!this.isAllowedUrl(url)) throw new IssuerError('The server’s issuer is not secure: it must use https.');
    const options: oidc.DiscoveryRequestOptions = {
      [oidc.customFetch]: netFetch as oidc.CustomFetch,
      ...(url.protocol === 'http:' ? { execute: [oidc.allowInsecureRequests] } : {}),
    };
    this.config = await oidc.discovery(url, clientId, undefined, oidc.None(), options);
    return this.config;
  }

  /** Returns whether a URL may be requested: a remote server cannot make this machine contact itself without TLS. */
  private isAllowedUrl(url: URL): boolean {
    return url.protocol === 'https:' || (isSecure(url) && isLoopback(this.server.hostname));
  }
}

function buildPromptParam(scope: string, freshSignIn: FreshSignIn | undefined): { readonly prompt?: string } {
  // An issuer grants a refresh token to a native application only with consent (OpenID Connect Core, 11).
  const prompts = [
    ...(freshSignIn === undefined ? [] : ['login']),
    ...(scope.split(' ').includes('offline_access') ? ['consent'] : []),
  ];
  return prompts.length === 0 ? {} : { prompt: prompts.join(' ') };
}

function toTokenSet(tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers): TokenSet {
  const seconds = tokens.expiresIn();
  const receivedAt = Date.now();
  return {
    kind: 'oidc',
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token ?? null,
    receivedAt,
    // Without a valid lifetime, the token is used until the server refuses it.
    expiresAt: seconds === undefined || seconds <= 0 ? null : receivedAt + seconds * 1_000,
  };
}
