import { RenewalSchedule, SessionToken, type HeldToken } from '@countersign/contract';
import { OidcClient, type User, type UserManager } from 'oidc-client-ts';
import { TabRenewal } from './tab-renewal.js';
import { readTabSignIn, removeTabSignIn, tokenTimes, type TabSignIn } from './tab-sign-in.js';
import type { TokenSource } from './token-source.js';

/** Tokens of the issuer, renewed by a refresh token if it issues one. */
export function oidcTokens(manager: UserManager): TokenSource {
  const schedule = new RenewalSchedule();
  const renewal = new TabRenewal(manager, schedule);
  const session = new SessionToken(
    {
      held: () => heldToken(readTabSignIn()),
      renew: async (refused) => heldToken(await renewal.renew(refused)),
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
      const ended = await renewal.end();
      // So that the token is in no address: the issuer then knows by the client who is meant, and asks.
      await manager.removeUser();
      if (ended !== undefined) await revoke(manager, ended.user);
      const endpoint = await manager.metadataService.getEndSessionEndpoint().catch(() => undefined);
      if (endpoint !== undefined) await manager.signoutRedirect();
    },
  };
}

function heldToken(signIn: TabSignIn | undefined): HeldToken | undefined {
  if (signIn === undefined) return undefined;
  const { access_token: accessToken, refresh_token: refreshToken } = signIn.user;
  return { ...tokenTimes(signIn), accessToken, isRenewable: refreshToken !== undefined };
}

/**
 * Tells the issuer that the tokens are not used any more (RFC 7009), where it wants to know: the refresh token first, which
 * outlives the session. The person is signed out here whatever comes of it.
 */
async function revoke(
  manager: UserManager,
  { refresh_token: refreshToken, access_token: accessToken }: User,
): Promise<void> {
  const endpoint = await manager.metadataService.getRevocationEndpoint(true).catch(() => undefined);
  if (endpoint === undefined) return;
  const client = new OidcClient(manager.settings);
  if (refreshToken !== undefined) await client.revokeToken(refreshToken, 'refresh_token').catch(() => undefined);
  await client.revokeToken(accessToken, 'access_token').catch(() => undefined);
}
