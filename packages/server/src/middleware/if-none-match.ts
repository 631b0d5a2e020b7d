import type { Context } from 'koa';

/**
 * Whether the caller has this version already (RFC 9110, 13.1.2). Not Koa's `fresh`, which also heeds the caller's
 * `Cache-Control`: that is meant for caches on the way, and fetch adds it to every conditional request.
 */
export function hasVersion(ctx: Context, etag: string): boolean {
  const header = ctx.headers['if-none-match'];
  if (header === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return false;
  if (header.trim() === '*') return true;
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '');
  return header.split(',').some((tag) => bare(tag) === bare(etag));
}
