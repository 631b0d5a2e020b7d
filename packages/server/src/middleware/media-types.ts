import { getBodyContentTypes, type RouteDefinition } from '@countersign/contract';
import type { Context } from 'koa';
import { createRefusal } from '../app/problem.js';

const MEDIA_TYPE = /^([!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+)\s*(;.*)?$/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)"?/i;

/** Returns the media types of a route's responses, including event streams. */
function getResponseMediaTypes(route: RouteDefinition): string[] {
  return [...new Set(Object.values(route.responses).flatMap((response) => Object.keys(response.content ?? {})))];
}

/** @throws {ApiError} `not_acceptable` */
export function requireAcceptable(ctx: Context, route: RouteDefinition): void {
  const accept = ctx.headers.accept;
  if (accept === undefined || accept === '*/*') return;
  const types = getResponseMediaTypes(route);
  if (types.length === 0 || types.includes('*/*')) return;
  if (ctx.accepts(types) === false)
    throw createRefusal('not_acceptable', `This resource is available only as ${types.join(' or ')}.`);
}

/** Returns whether the caller requests the event stream of a route that also returns JSON pages. */
export function wantsStream(ctx: Context): boolean {
  return (
    ctx.headers.accept !== undefined && ctx.accepts(['application/json', 'text/event-stream']) === 'text/event-stream'
  );
}

/**
 * Returns the media type of the body in a storable form; `application/octet-stream` if the route accepts any type and
 * the request has no `Content-Type`.
 *
 * @throws {ApiError} `unsupported_media_type`
 */
export function requireContentType(ctx: Context, route: RouteDefinition): string {
  const types = getBodyContentTypes(route);
  const contentType = ctx.headers['content-type'];
  const acceptsAny = types.includes('*/*');
  if (contentType === undefined && acceptsAny) return 'application/octet-stream';
  const mediaType = MEDIA_TYPE.exec(contentType ?? '')?.[1]?.toLowerCase();
  if (acceptsAny) {
    if (mediaType === undefined || contentType === undefined || contentType.length > 255)
      throw createRefusal(
        'unsupported_media_type',
        'The Content-Type must be a valid media type of at most 255 characters.',
      );
    return contentType;
  }
  if (mediaType === undefined || !types.includes(mediaType))
    throw createRefusal('unsupported_media_type', `Send the body as ${types.join(' or ')}.`);
  const charset = CHARSET.exec(contentType ?? '')?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')
    throw createRefusal('unsupported_media_type', 'Send the body in UTF-8.');
  return mediaType;
}
