import { RenewalSchedule, SessionToken, type StoredToken } from '@countersign/contract';
import type { UserManager } from 'oidc-client-ts';
import { revokeTokens } from './revoke-tokens.js';
import { endSignIn, TabRenewal } from './tab-renewal.js';
import { readTabSignIn, removeTabSignIn, getTokenTimes, type TabSignIn } from './tab-sign-in.js';
import type { TokenSource } from './token-source.js';

/**
 * Creates the token source of an OIDC issuer. Tokens are renewed with a refresh token if the issuer provides one. The
 * source returns only tokens of the current user, even after that user signs in again, so that a pending request is
 * never sent on behalf of another user.
 */
export function createOidcTokenSource(manager: UserManager): TokenSource {
  const schedule = new RenewalSchedule();
  const renewal = new TabRenewal(manager, schedule);
  const userId = getUserId(readTabSignIn());
  const keepIfSameUser = (signIn: TabSignIn | undefined): TabSignIn | undefined =>
    getUserId(signIn) === userId ? signIn : undefined;
  const sessionToken = new SessionToken(
    {
      read: () => toStoredToken(keepIfSameUser(readTabSignIn())),
      // Another user may have signed in during the renewal.
      renew: async (refusedToken) => toStoredToken(keepIfSameUser(await renewal.renew(refusedToken))),
    },
    schedule,
  );
  return {
    getToken: (refusedToken) => sessionToken.get(refusedToken),
    async hasStoredSignIn() {
      return readTabSignIn() !== undefined;
    },
    async forget() {
      removeTabSignIn();
    },
    async signOut() {
      const endedUser = await endSignIn();
      // Keeps the ID token out of the sign-out URL. The issuer identifies the client by its id and asks the user to
      // confirm.
      await manager.removeUser();
      if (endedUser !== undefined) await revokeTokens(manager, endedUser);
      const endpoint = await manager.metadataService.getEndSessionEndpoint().catch(() => undefined);
      if (endpoint !== undefined) await manager.signoutRedirect();
    },
  };
}

function getUserId(signIn: TabSignIn | undefined): string | undefined {
  // Without the scope `openid`, the issuer does not identify the user. The id of the sign-in is used instead.
  return signIn === undefined ? undefined : (signIn.user.profile?.sub ?? signIn.id);
}

function toStoredToken(signIn: TabSignIn | undefined): StoredToken | undefined {
  if (signIn === undefined) return undefined;
  const { access_token: accessToken, refresh_token: refreshToken } = signIn.user;
  return { ...getTokenTimes(signIn), accessToken, isRenewable: refreshToken !== undefined };
}
