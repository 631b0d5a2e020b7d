import { getBodyContentTypes, validateRequest, type RouteDefinition, type ValidRequest } from '@countersign/contract';
import type { Context } from 'koa';
import { createRefusal } from '../app/problem.js';
import { requireContentType } from './media-types.js';
import { hasBody } from './has-body.js';
import { decodeUtf8, parseJson, readBody, type BodyLimits } from './read-body.js';

/** An idempotency key consists of 1 to 255 visible ASCII characters. */
const IDEMPOTENCY_KEY_PATTERN = /^[!-~]{1,255}$/;

const SUMMARIES: Readonly<Record<string, string>> = {
  invalid_parameter: 'A parameter is unknown or has an invalid value.',
  validation_failed: 'The body has missing, invalid or unknown fields.',
  polluting_key: 'The body contains a key that could pollute a prototype.',
};

/** Reads a request and validates it against its route. Binary and signed bodies are left unread. */
export async function readRequest<R extends RouteDefinition>(
  ctx: Context,
  route: R,
  params: Readonly<Record<string, string>>,
  limits: BodyLimits,
): Promise<ValidRequest<R>> {
  const query = Object.fromEntries(collectQuery(ctx.querystring));
  const body = await readRequestBody(ctx, route, limits);
  const result = validateRequest(route, { params, query, body });
  if (result.ok)
    return isTextRoute(route) ? { ...result.request, body: body as ValidRequest<R>['body'] } : result.request;
  const { code, errors } = result;
  const isPathError = errors.some(({ pointer }) => pointer.startsWith('/path/'));
  const summary =
    code === 'validation_failed' && isPathError ? 'The name in the path is not allowed.' : SUMMARIES[code];
  if (summary === undefined) throw createRefusal(code, 'There is no resource at this path.');
  throw createRefusal(code, summary, { errors });
}

/**
 * Returns the caller's `Idempotency-Key`.
 *
 * @throws {ApiError} `invalid_parameter`
 */
export function readIdempotencyKey(ctx: Context, route: RouteDefinition): string | undefined {
  if (route.idempotent !== true) return undefined;
  const key = ctx.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && IDEMPOTENCY_KEY_PATTERN.test(key)) return key;
  const error = {
    pointer: '/headers/idempotency-key',
    code: 'invalid',
    message: 'Must have 1 to 255 visible ASCII characters.',
  };
  throw createRefusal('invalid_parameter', 'The Idempotency-Key is invalid.', { errors: [error] });
}

/**
 * Collects query parameters. A repeated parameter becomes a list, which no schema accepts, so that the request is
 * refused instead of using only one of the values.
 */
function collectQuery(querystring: string): Map<string, string | string[]> {
  const parameters = new Map<string, string | string[]>();
  if (querystring === '') return parameters;
  for (const [name, value] of new URLSearchParams(querystring)) {
    const previous = parameters.get(name);
    parameters.set(name, previous === undefined ? value : [previous, value].flat());
  }
  return parameters;
}

async function readRequestBody(ctx: Context, route: RouteDefinition, limits: BodyLimits): Promise<unknown> {
  if (route.body === undefined || route.signed === true || getBodyContentTypes(route).includes('*/*')) return undefined;
  if (!hasBody(ctx.req)) {
    if (route.bodyOptional === true) return undefined;
    throw createRefusal(isTextRoute(route) ? 'malformed_request' : 'malformed_json', 'The request needs a body.');
  }
  requireContentType(ctx, route);
  const bytes = await readBody(ctx.req, limits);
  return isTextRoute(route) ? decodeUtf8(bytes) : parseJson(bytes);
}

function isTextRoute(route: RouteDefinition): boolean {
  const types = getBodyContentTypes(route);
  return types.length > 0 && !types.includes('application/json') && !types.includes('*/*');
}
