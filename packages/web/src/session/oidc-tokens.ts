import { OidcClient, type User, type UserManager } from 'oidc-client-ts';
import type { TokenSource } from './token-source.js';

/** How long before its end a token is renewed. */
const RENEW_BEFORE_SECONDS = 60;

/** Tokens of the issuer, renewed by a refresh token where it gave one. */
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
    async hasEnded() {
      return (await manager.getUser()) !== null;
    },
    async forget() {
      await manager.removeUser();
    },
    async signOut() {
      // What is being renewed would sign the person in again.
      await renewal;
      const user = await manager.getUser();
      // First, so that the token is in no address: the issuer then knows by the client who is meant, and asks.
      await manager.removeUser();
      if (user !== null) await revoke(manager, user);
      const endpoint = await manager.metadataService.getEndSessionEndpoint().catch(() => undefined);
      if (endpoint !== undefined) await manager.signoutRedirect();
    },
  };
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
