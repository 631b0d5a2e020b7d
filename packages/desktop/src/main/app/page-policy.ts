/**
 * Content security policy of the window (CSP level 3): its own scripts and no connections at all, because only the main
 * process contacts the server. Style attributes are allowed for the diagram; style elements need the nonce.
 */
export function pagePolicy(nonce: string): string {
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

/** Response headers for each file. */
export function pageHeaders(contentType: string, nonce: string): Record<string, string> {
  return {
    'Content-Type': contentType,
    'Content-Security-Policy': pagePolicy(nonce),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  };
}
