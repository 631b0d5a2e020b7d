import { OidcClient, type User, type UserManager } from 'oidc-client-ts';
import { TabRenewal } from './tab-renewal.js';
import { readTabSignIn, removeTabSignIn, tokenTimes } from './tab-sign-in.js';
import type { TokenSource } from './token-source.js';

/** A token that replaced a refused one, and is refused so soon itself, in ms, is not replaced again. */
const REPLACED_MS = 60_000;

/** Tokens of the issuer, renewed by a refresh token if it issues one. */
export function oidcTokens(manager: UserManager): TokenSource {
  const renewal = new TabRenewal(manager);
  const { schedule } = renewal;
  let replacement: { readonly token: string; readonly at: number } | undefined;
  return {
    async token(refused) {
      const held = readTabSignIn();
      if (held === undefined) return undefined;
      if (refused !== undefined) return replace(held.user, refused);
      const times = tokenTimes(held);
      const valid = schedule.isValid(times);
      if (valid && !schedule.isDue(times)) return held.user.access_token;
      const canRenew = held.user.refresh_token !== undefined && !schedule.isPausing(times);
      const renewed = canRenew ? renewal.renew() : undefined;
      // Nothing waits for the issuer while the token counts.
      return valid ? held.user.access_token : (await renewed)?.user.access_token;
    },
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

  /** A server whose clock is ahead, or that knows of the end of a session, refuses tokens before their end. */
  async function replace(user: User, refused: string): Promise<string | undefined> {
    if (user.access_token !== refused) return user.access_token;
    if (replacement?.token === refused && Date.now() - replacement.at < REPLACED_MS) return undefined;
    const token = (await renewal.renew(refused))?.user.access_token;
    if (token === undefined || token === refused) return undefined;
    replacement = { token, at: Date.now() };
    return token;
  }
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
