import type { AuthConfig } from '@countersign/contract';
import { BASE_URL } from '@countersign/inbox-ui/app/base-url';
import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts';

const DEFAULT_SCOPES: AuthConfig['scopes'] = ['openid', 'profile'];

/**
 * Sign-in by the code flow with PKCE (RFC 7636; OAuth 2.0 for browser-based applications). The tokens are kept by
 * `TabSignIn`, which a reload and a duplicated tab find again, and not by this object.
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
    // Renewed by a refresh token where the issuer gives one; there are no frames.
    automaticSilentRenew: false,
    monitorSession: false,
    loadUserInfo: false,
    // Signing out does not wait for an issuer that does not answer.
    requestTimeoutInSeconds: 10,
  });
}

/** Versions before kept tokens where the library does, and nothing reads or revokes them any more. */
function removeOldTokens(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith('oidc.user:')) sessionStorage.removeItem(key);
}
