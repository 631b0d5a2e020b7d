/** Error codes of RFC 6749, 4.1.2.1, and RFC 8628, 3.5; several issuers send the last one with 429. */
const TEMPORARY_ERRORS: readonly string[] = [
  'server_error',
  'temporarily_unavailable',
  'slow_down',
  'too_many_requests',
];

/**
 * Returns whether an issuer that responded to a token request with this error may accept a later one. Otherwise the
 * issuer has refused, and the same refresh token must not be sent again.
 *
 * @param code the `error` of the issuer's response (RFC 6749, 5.2)
 */
export function isTemporaryOAuthError(code: string): boolean {
  return TEMPORARY_ERRORS.includes(code);
}
