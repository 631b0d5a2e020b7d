import { bodyContentTypes, validateRequest, type RouteDefinition, type ValidRequest } from '@countersign/contract';
import type { Context } from 'koa';
import { refusal } from '../app/problem.js';
import { contentTypeOf } from './media-types.js';
import { hasBody } from './has-body.js';
import { decodeUtf8, parseJson, readBody, type BodyLimits } from './read-body.js';

/** Characters of an idempotency key: RFC 9110 tokens and a few more. */
const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/;

const SUMMARY: Readonly<Record<string, string>> = {
  invalid_parameter: 'A parameter is unknown or has a wrong value.',
  validation_failed: 'The body has a missing, wrong or unknown field.',
  polluting_key: 'The body uses a name that could pollute a prototype.',
};

/** Reads a request and validates it against its route. Binary and signed bodies are left in the request. */
export async function readRequest<R extends RouteDefinition>(
  ctx: Context,
  route: R,
  params: Readonly<Record<string, string>>,
  limits: BodyLimits,
): Promise<ValidRequest<R>> {
  const query = Object.fromEntries(collect(ctx.querystring));
  const body = await bodyOf(ctx, route, limits);
  const result = validateRequest(route, { params, query, body });
  if (result.ok) return isText(route) ? { ...result.request, body: body as ValidRequest<R>['body'] } : result.request;
  const { code, errors } = result;
  const isOfPath = errors.some(({ pointer }) => pointer.startsWith('/path/'));
  const summary = code === 'validation_failed' && isOfPath ? 'The name in the path is not allowed.' : SUMMARY[code];
  if (summary === undefined) throw refusal(code, 'There is no resource at this path.');
  throw refusal(code, summary, { errors });
}

/**
 * Returns the caller's `Idempotency-Key`.
 *
 * @throws {ApiError} `invalid_parameter`
 */
export function idempotencyKeyOf(ctx: Context, route: RouteDefinition): string | undefined {
  if (route.idempotent !== true) return undefined;
  const key = ctx.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  const error = {
    pointer: '/headers/idempotency-key',
    code: 'invalid',
    message: 'Must have 1 to 255 visible ASCII characters.',
  };
  throw refusal('invalid_parameter', 'The Idempotency-Key is invalid.', { errors: [error] });
}

/**
 * Collects query parameters. A repeated one becomes a list, which no schema accepts, so it is refused and not partly
 * read.
 */
function collect(querystring: string): Map<string, string | string[]> {
  const found = new Map<string, string | string[]>();
  if (querystring === '') return found;
  for (const [name, value] of new URLSearchParams(querystring)) {
    const before = found.get(name);
    found.set(name, before === undefined ? value : [before, value].flat());
  }
  return found;
}

async function bodyOf(ctx: Context, route: RouteDefinition, limits: BodyLimits): Promise<unknown> {
  if (route.body === undefined || route.signed === true || bodyContentTypes(route).includes('*/*')) return undefined;
  if (!hasBody(ctx.req)) {
    if (route.bodyOptional === true) return undefined;
    throw refusal(isText(route) ? 'malformed_request' : 'malformed_json', 'The request needs a body.');
  }
  contentTypeOf(ctx, route);
  const bytes = await readBody(ctx.req, limits);
  return isText(route) ? decodeUtf8(bytes) : parseJson(bytes);
}

function isText(route: RouteDefinition): boolean {
  const types = bodyContentTypes(route);
  return types.length > 0 && !types.includes('application/json') && !types.includes('*/*');
}
