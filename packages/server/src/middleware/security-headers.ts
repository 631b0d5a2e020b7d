import type { Context } from 'koa';

/** Headers of every response. By default, a response is data, not a page, and other origins may not use it. */
const HEADERS = Object.freeze([
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Frame-Options', 'DENY'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Cache-Control', 'no-store'],
] as const);

/** Sets the security headers on Node's response, because `ctx.set` costs twice as much and every response has them. */
export function setSecurityHeaders({ res }: Pick<Context, 'res'>): void {
  if (res.headersSent) return;
  for (const [name, value] of HEADERS) res.setHeader(name, value);
}
