import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { createRefusal } from '../app/problem.js';

/** JWT types of access tokens (RFC 9068, 2.1), and the generic type that issuers without RFC 9068 use. */
const HEADER_TYPES: ReadonlySet<string> = new Set(['at+jwt', 'application/at+jwt', 'jwt']);
/** JWT types that are reserved for access tokens. */
const ACCESS_TOKEN_TYPES: ReadonlySet<string> = new Set(['at+jwt', 'application/at+jwt']);
/**
 * Claims that only ID tokens have (OpenID Connect Core, 2 and 3.3.2.11). Many issuers use the same JWT type for both.
 */
const ID_TOKEN_CLAIMS = ['nonce', 'at_hash', 'c_hash'] as const;
/** Values of the claim `typ` of access tokens: `Bearer` of Keycloak, and the kinds of principals. */
const CLAIM_TYPES: ReadonlySet<string> = new Set(['bearer', 'service', 'agent', 'user']);

/**
 * Refuses JWTs of the issuer that are not access tokens for this server: other types (refresh and logout tokens, DPoP
 * proofs), ID tokens, security events (RFC 8417; OpenID Connect Back-Channel Logout, 2.4), and tokens that are bound to
 * a key, because the proof of possession is not checked (RFC 7800, RFC 8705, RFC 9449).
 *
 * @throws {ApiError} `invalid_token`
 */
export function requireAccessToken({ typ }: Pick<JWTHeaderParameters, 'typ'>, payload: JWTPayload): void {
  const { typ: claimedType, events, cnf } = payload;
  if (typ !== undefined && !HEADER_TYPES.has(typ.toLowerCase()))
    throw createRefusal('invalid_token', 'The type (typ) of the token is not that of an access token.');
  if (claimedType !== undefined && !(typeof claimedType === 'string' && CLAIM_TYPES.has(claimedType.toLowerCase())))
    throw createRefusal('invalid_token', 'The type (typ) of the token is not that of an access token.');
  // Access tokens of Keycloak before version 24 have a nonce, but also declare their type.
  const declaresAccessToken =
    (typ !== undefined && ACCESS_TOKEN_TYPES.has(typ.toLowerCase())) || claimedType !== undefined;
  if (!declaresAccessToken && ID_TOKEN_CLAIMS.some((name) => payload[name] !== undefined))
    throw createRefusal(
      'invalid_token',
      'The token is an ID token, which is meant for the client. Send the access token.',
    );
  if (events !== undefined)
    throw createRefusal(
      'invalid_token',
      'The token is not an access token but a security event, for example a logout token.',
    );
  if (cnf !== undefined)
    throw createRefusal(
      'invalid_token',
      'The token is bound to a key (cnf), and this server does not check the proof of possession. Request a bearer token from the issuer.',
    );
}
