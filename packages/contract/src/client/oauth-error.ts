/** Codes of RFC 6749, 4.1.2.1, and RFC 8628, 3.5; the last one comes with 429 from several issuers. */
const TEMPORARY: readonly string[] = ['server_error', 'temporarily_unavailable', 'slow_down', 'too_many_requests'];

/**
 * Returns whether an issuer that has answered a request for tokens with this error may answer otherwise later; else it has
 * refused, and is not asked again by the same refresh token.
 *
 * @param code the `error` of its response (RFC 6749, 5.2)
 */
export function isTemporaryOAuthError(code: string): boolean {
  return TEMPORARY.includes(code);
}
