import type { AuthConfig } from '@countersign/contract';
import { BASE_URL } from '@countersign/inbox-ui/app/base-url';
import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts';

const DEFAULT_SCOPES: AuthConfig['scopes'] = ['openid', 'profile'];

/**
 * Creates the manager of sign-ins with the authorization code flow and PKCE (RFC 7636; OAuth 2.0 for browser-based
 * applications). The tokens are stored as `TabSignIn`, not in the manager, so that they survive a reload and are copied
 * to a duplicated tab.
 */
export function createUserManager({ issuer, clientId, scopes }: AuthConfig): UserManager {
  removeOldTokens();
  return new UserManager({
    authority: issuer ?? '',
    client_id: clientId ?? '',
    redirect_uri: `${BASE_URL}/sign-in/callback`,
    post_logout_redirect_uri: `${BASE_URL}/`,
    response_type: 'code',
    scope: (scopes.length === 0 ? DEFAULT_SCOPES : scopes).join(' '),
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    stateStore: new WebStorageStateStore({ store: window.sessionStorage }),
    // Tokens are renewed with a refresh token if the issuer provides one, never in a hidden frame.
    automaticSilentRenew: false,
    monitorSession: false,
    loadUserInfo: false,
    // Limits how long a sign-out waits for an issuer that does not respond.
    requestTimeoutInSeconds: 10,
  });
}

/** Removes tokens that earlier versions stored through the library. They are no longer read or revoked. */
function removeOldTokens(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith('oidc.user:')) sessionStorage.removeItem(key);
}
