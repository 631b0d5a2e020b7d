/**
 * Returns the content security policy of the web UI (CSP level 3): scripts only from this server and not inline,
 * requests only to this server and the sign-in issuer.
 *
 * Style attributes are allowed, because the diagram sets them; style elements need the nonce of the response.
 */
export function buildContentSecurityPolicy(nonce: string, issuerOrigins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src-elem 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ['connect-src', "'self'", ...issuerOrigins].join(' '),
    "manifest-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
