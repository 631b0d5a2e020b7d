import type { Context } from 'koa';

/**
 * Returns whether `If-None-Match` contains the ETag, so that the client already has this version (RFC 9110, 13.1.2).
 * Koa's `fresh` is not used because it also respects the caller's `Cache-Control`: that header is for intermediate
 * caches, and fetch adds it to every conditional request.
 */
export function clientHasVersion(ctx: Context, etag: string): boolean {
  const header = ctx.headers['if-none-match'];
  if (header === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return false;
  if (header.trim() === '*') return true;
  const withoutWeakPrefix = (tag: string): string => tag.trim().replace(/^W\//, '');
  return header.split(',').some((tag) => withoutWeakPrefix(tag) === withoutWeakPrefix(etag));
}
