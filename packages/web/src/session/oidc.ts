import type { AuthConfig } from '@countersign/contract';
import { UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { BASE_URL } from '../app/base-url.js';
import type { TokenSource } from './token-source.js';

/**
 * Sign-in by the code flow with PKCE (RFC 7636; OAuth 2.0 for browser-based applications). The tokens are this tab's alone:
 * kept in its session storage, so that a reload need not sign in again.
 */
export function createOidc({ issuer, clientId, scopes }: AuthConfig): UserManager {
  return new UserManager({
    authority: issuer ?? '',
    client_id: clientId ?? '',
    redirect_uri: `${BASE_URL}/sign-in/callback`,
    post_logout_redirect_uri: `${BASE_URL}/`,
    response_type: 'code',
    scope: scopes.length === 0 ? 'openid profile' : scopes.join(' '),
    userStore: new WebStorageStateStore({ store: window.sessionStorage }),
    stateStore: new WebStorageStateStore({ store: window.sessionStorage }),
    // Renewed by a refresh token where the issuer gives one; there are no frames.
    automaticSilentRenew: false,
    monitorSession: false,
    loadUserInfo: false,
  });
}

/** How long before its end a token is renewed. */
const RENEW_BEFORE_SECONDS = 60;

export function oidcTokens(manager: UserManager): TokenSource {
  let renewal: Promise<string | undefined> | undefined;
  return {
    async token() {
      const user = await manager.getUser();
      if (user === null) return undefined;
      const left = user.expires_in;
      if (left === undefined || left > RENEW_BEFORE_SECONDS) return user.access_token;
      if (user.refresh_token === undefined) return left > 0 ? user.access_token : undefined;
      renewal ??= manager
        .signinSilent()
        .then((renewed) => renewed?.access_token)
        .catch(() => (left > 0 ? user.access_token : undefined))
        .finally(() => {
          renewal = undefined;
        });
      return renewal;
    },
    async signOut() {
      await manager.removeUser();
    },
  };
}

/** Goes to the issuer; comes back to where the person was. */
export function beginSignIn(manager: UserManager): Promise<void> {
  return manager.signinRedirect({ state: { returnTo: window.location.href } });
}

/** Ends the sign-in on the page that the issuer sent the browser back to. @returns where to go on: an address of this application. */
export async function completeSignIn(manager: UserManager): Promise<string> {
  const user = await manager.signinCallback();
  const { returnTo } = (user?.state ?? {}) as { returnTo?: unknown };
  // The state came back through the issuer: it may name a page of this application, and nothing else.
  return typeof returnTo === 'string' && returnTo.startsWith(`${BASE_URL}/`) && !returnTo.includes('/sign-in/') ? returnTo : `${BASE_URL}/`;
}
