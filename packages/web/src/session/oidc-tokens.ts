import { RenewalSchedule, SessionToken, type HeldToken } from '@countersign/contract';
import type { UserManager } from 'oidc-client-ts';
import { revokeTokens } from './revoke-tokens.js';
import { endSignIn, TabRenewal } from './tab-renewal.js';
import { readTabSignIn, removeTabSignIn, tokenTimes, type TabSignIn } from './tab-sign-in.js';
import type { TokenSource } from './token-source.js';

/**
 * Tokens of the issuer, renewed by a refresh token if it issues one: those of whoever is signed in now, also after that person
 * has signed in again, and never those of another one. What somebody has under way is not sent as somebody else.
 */
export function oidcTokens(manager: UserManager): TokenSource {
  const schedule = new RenewalSchedule();
  const renewal = new TabRenewal(manager, schedule);
  const person = personOf(readTabSignIn());
  const ofPerson = (signIn: TabSignIn | undefined): TabSignIn | undefined =>
    personOf(signIn) === person ? signIn : undefined;
  const session = new SessionToken(
    {
      held: () => heldToken(ofPerson(readTabSignIn())),
      // Somebody may have signed in while it was renewed.
      renew: async (refused) => heldToken(ofPerson(await renewal.renew(refused))),
    },
    schedule,
  );
  return {
    token: (refused) => session.get(refused),
    async hasEnded() {
      return readTabSignIn() !== undefined;
    },
    async forget() {
      removeTabSignIn();
    },
    async signOut() {
      const ended = await endSignIn();
      // So that the token is in no address: the issuer then knows by the client who is meant, and asks.
      await manager.removeUser();
      if (ended !== undefined) await revokeTokens(manager, ended);
      const endpoint = await manager.metadataService.getEndSessionEndpoint().catch(() => undefined);
      if (endpoint !== undefined) await manager.signoutRedirect();
    },
  };
}

function personOf(signIn: TabSignIn | undefined): string | undefined {
  // Without `openid` the issuer does not say who it is: then it is one sign-in.
  return signIn === undefined ? undefined : (signIn.user.profile?.sub ?? signIn.id);
}

function heldToken(signIn: TabSignIn | undefined): HeldToken | undefined {
  if (signIn === undefined) return undefined;
  const { access_token: accessToken, refresh_token: refreshToken } = signIn.user;
  return { ...tokenTimes(signIn), accessToken, isRenewable: refreshToken !== undefined };
}
