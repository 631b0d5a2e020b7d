import type { AuthConfig } from '@countersign/contract';
import { BASE_URL } from '@countersign/inbox-ui/app/base-url';
import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts';

const DEFAULT_SCOPES: AuthConfig['scopes'] = ['openid', 'profile'];

/**
 * Creates the sign-in by the code flow with PKCE (RFC 7636; OAuth 2.0 for browser-based applications). `TabSignIn`, not
 * this object, stores the tokens, so that a reload or a duplicated tab finds them again.
 */
export function createOidc({ issuer, clientId, scopes }: AuthConfig): UserManager {
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
    // Renewal uses a refresh token if the issuer provides one, and no frames.
    automaticSilentRenew: false,
    monitorSession: false,
    loadUserInfo: false,
    // Sign-out does not wait for an issuer that does not respond.
    requestTimeoutInSeconds: 10,
  });
}

/**
 * Removes tokens that earlier versions left in the library's storage, where nothing reads or revokes them any longer.
 */
function removeOldTokens(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith('oidc.user:')) sessionStorage.removeItem(key);
}
