import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { refusal } from '../app/problem.js';

/** Types of JWTs that are access tokens (RFC 9068, 2.1), and the general one, which issuers without RFC 9068 use. */
const HEADER_TYPES: ReadonlySet<string> = new Set(['at+jwt', 'application/at+jwt', 'jwt']);
/** Types of JWTs that say of themselves that they are access tokens. */
const SAYS_SO: ReadonlySet<string> = new Set(['at+jwt', 'application/at+jwt']);
/** Claims of ID tokens alone (OpenID Connect Core, 2 and 3.3.2.11). Many issuers give these the type of their access tokens. */
const OF_ID_TOKENS = ['nonce', 'at_hash', 'c_hash'] as const;
/** Values of the claim `typ` of access tokens: Keycloak's, and those by which a token says that it is no person's. */
const CLAIM_TYPES: ReadonlySet<string> = new Set(['bearer', 'service', 'agent', 'user']);

/**
 * Refuses JWTs of the issuer that were not made to be access tokens here: other types (refresh and logout tokens, DPoP
 * proofs), ID tokens, security events (RFC 8417; OpenID Connect Back-Channel Logout, 2.4), and tokens that are
 * bound to a key whose proof nobody has checked (RFC 7800, RFC 8705, RFC 9449).
 *
 * @throws {ApiError} `invalid_token`
 */
export function requireAccessToken({ typ }: Pick<JWTHeaderParameters, 'typ'>, payload: JWTPayload): void {
  const { typ: claimed, events, cnf } = payload;
  if (typ !== undefined && !HEADER_TYPES.has(typ.toLowerCase()))
    throw refusal('invalid_token', 'The token is not an access token: its type is another one.');
  if (claimed !== undefined && !(typeof claimed === 'string' && CLAIM_TYPES.has(claimed.toLowerCase())))
    throw refusal('invalid_token', 'The token is not an access token: its type is another one.');
  // Keycloak's access tokens of versions before 24 have a nonce; they also say what they are.
  const saysSo = (typ !== undefined && SAYS_SO.has(typ.toLowerCase())) || claimed !== undefined;
  if (!saysSo && OF_ID_TOKENS.some((name) => payload[name] !== undefined))
    throw refusal(
      'invalid_token',
      'The token is an ID token, which tells a client who signed in. Send the access token.',
    );
  if (events !== undefined)
    throw refusal(
      'invalid_token',
      'The token is a security event, for example a logout token, and not an access token.',
    );
  if (cnf !== undefined)
    throw refusal(
      'invalid_token',
      'The token is bound to a key (cnf), whose proof this server does not check. Ask the issuer for a bearer token.',
    );
}
