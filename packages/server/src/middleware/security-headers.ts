import type { Context } from 'koa';

/** What every answer tells browsers: this is data, not a page, and nobody else's business. */
export function setSecurityHeaders(ctx: Context): void {
  ctx.set({
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  });
}
