import type { Context } from 'koa';

/**
 * Returns the content coding of a response (RFC 9110, section 12.5.3). Brotli is smaller, so it is used whenever the
 * client accepts it, even if the client lists gzip first.
 */
export function chooseEncoding(ctx: Context): 'br' | 'gzip' | 'identity' {
  if (ctx.acceptsEncodings('br') === 'br') return 'br';
  return ctx.acceptsEncodings('gzip') === 'gzip' ? 'gzip' : 'identity';
}
