/**
 * Returns the content security policy of the window (CSP level 3). It allows only the window's own scripts and no
 * connections, because only the main process contacts the server. Style attributes are allowed for the diagram; style
 * elements need the nonce.
 */
export function buildPagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src-elem 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'none'",
    "webrtc 'block'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Returns the response headers for a file of the window. */
export function buildPageHeaders(contentType: string, nonce: string): Record<string, string> {
  return {
    'Content-Type': contentType,
    'Content-Security-Policy': buildPagePolicy(nonce),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  };
}
