import { OidcClient, type User, type UserManager } from 'oidc-client-ts';

/**
 * Tells the issuer that the tokens are not used any more (RFC 7009), where it wants to know: the refresh token first, which
 * outlives the session. Its user is signed out here whatever comes of it.
 */
export async function revokeTokens(
  manager: UserManager,
  { refresh_token: refreshToken, access_token: accessToken }: User,
): Promise<void> {
  const endpoint = await manager.metadataService.getRevocationEndpoint(true).catch(() => undefined);
  if (endpoint === undefined) return;
  const client = new OidcClient(manager.settings);
  if (refreshToken !== undefined) await client.revokeToken(refreshToken, 'refresh_token').catch(() => undefined);
  await client.revokeToken(accessToken, 'access_token').catch(() => undefined);
}
