/**
 * The content security policy of the web UI (CSP level 3): scripts of this server alone, none inline, requests to this
 * server and to the issuer that people sign in with.
 *
 * Style attributes are allowed, as the diagram sets them; style elements need the nonce of the answer.
 */
export function webPolicy(nonce: string, issuerOrigins: readonly string[]): string {
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
