import { RenewalSchedule, SessionToken, type StoredToken } from '@countersign/contract';
import type { UserManager } from 'oidc-client-ts';
import { revokeTokens } from './revoke-tokens.js';
import { endSignIn, TabRenewal } from './tab-renewal.js';
import { readTabSignIn, removeTabSignIn, tokenTimes, type TabSignIn } from './tab-sign-in.js';
import type { TokenSource } from './token-source.js';

/**
 * Returns the token source of an OIDC issuer, with renewal by a refresh token if the issuer provides one. It returns
 * tokens only of the user who is signed in now, also after that user signs in again. A pending request is never sent as
 * another user.
 */
export function createOidcTokenSource(manager: UserManager): TokenSource {
  const schedule = new RenewalSchedule();
  const renewal = new TabRenewal(manager, schedule);
  const personId = getPersonId(readTabSignIn());
  const ifSamePerson = (signIn: TabSignIn | undefined): TabSignIn | undefined =>
    getPersonId(signIn) === personId ? signIn : undefined;
  const sessionToken = new SessionToken(
    {
      read: () => toHeldToken(ifSamePerson(readTabSignIn())),
      // Another user may have signed in during the renewal.
      renew: async (refusedToken) => toHeldToken(ifSamePerson(await renewal.renew(refusedToken))),
    },
    schedule,
  );
  return {
    token: (refusedToken) => sessionToken.get(refusedToken),
    async hasEnded() {
      return readTabSignIn() !== undefined;
    },
    async forget() {
      removeTabSignIn();
    },
    async signOut() {
      const endedUser = await endSignIn();
      // Keeps the token out of the address: the issuer then knows the client and asks for confirmation.
      await manager.removeUser();
      if (endedUser !== undefined) await revokeTokens(manager, endedUser);
      const endpoint = await manager.metadataService.getEndSessionEndpoint().catch(() => undefined);
      if (endpoint !== undefined) await manager.signoutRedirect();
    },
  };
}

function getPersonId(signIn: TabSignIn | undefined): string | undefined {
  // Without `openid` the issuer does not identify the user: then the sign-in itself counts.
  return signIn === undefined ? undefined : (signIn.user.profile?.sub ?? signIn.id);
}

function toHeldToken(signIn: TabSignIn | undefined): StoredToken | undefined {
  if (signIn === undefined) return undefined;
  const { access_token: accessToken, refresh_token: refreshToken } = signIn.user;
  return { ...tokenTimes(signIn), accessToken, isRenewable: refreshToken !== undefined };
}
