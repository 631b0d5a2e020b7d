import { OidcClient, type User, type UserManager } from 'oidc-client-ts';

/**
 * Revokes the tokens at the issuer (RFC 7009) if it has a revocation endpoint: first the refresh token, which outlives
 * the session. Errors are ignored, because the user is signed out in this browser in any case.
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
