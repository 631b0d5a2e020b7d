import type { Context } from 'koa';
import { toProblemResponse, createRefusal } from '../app/problem.js';
import type { RouteMatch } from '../app/route-table.js';
import type { Services } from '../app/services.js';
import { drainRefusedBody } from './drain-refused-body.js';
import { serveWeb, type WebMatch } from '../web/serve-web.js';
import { requireAllowedHost } from './require-allowed-host.js';
import { ClientDisconnectedError } from './read-body.js';
import { getTraceId } from './request-id.js';
import { setSecurityHeaders } from './security-headers.js';
import { serveRoute, type RequestMetadata } from './serve-route.js';

/** Probes arrive every few seconds, so they are not logged at the usual level. */
const QUIET_ROUTES: ReadonlySet<string> = new Set(['/api/health/live', '/api/health/ready', '/metrics']);

/** Names of paths outside the API's routes, in metrics and the log. */
const UNROUTED_NAMES = Object.freeze({ none: 'unknown', wrong_method: 'wrong method', web: 'web' });

/** Headers that a route may have set for content that is not sent after a failure. */
const CONTENT_HEADERS = [
  'Content-Encoding',
  'ETag',
  'Content-Disposition',
  'Accept-Ranges',
  'Content-Length',
  'Location',
];

/** The target of a path: a route of the API, or a part of the web UI. */
export type Match = RouteMatch | { readonly kind: 'web'; readonly web: WebMatch };

/** Responds to a request. Never throws, so that no error reaches the error handler of a host application. */
export async function handleRequest(ctx: Context, services: Services, match: Match, basePath: string): Promise<void> {
  const startedAt = process.hrtime.bigint();
  const metadata: RequestMetadata = {
    services,
    traceId: getTraceId(ctx.headers['x-request-id']),
    basePath,
    principal: undefined,
  };
  services.bodyParserDetector.inspect(ctx);
  ctx.set('X-Request-Id', metadata.traceId);
  setSecurityHeaders(ctx);
  announceConnectionClose(ctx, services); // before an event stream or a download starts
  try {
    await respond(ctx, metadata, match);
  } catch (error) {
    respondWithError(ctx, metadata, await countFailure(ctx, metadata, match, error));
  }
  announceConnectionClose(ctx, services); // the server may have started to stop in the meantime
  recordRequest(ctx, metadata, match, Number(process.hrtime.bigint() - startedAt) / 1e9);
}

/** Asks the client of a stopping server not to reuse the connection (RFC 9110, section 7.6.1). */
function announceConnectionClose({ res }: Context, { draining }: Services): void {
  if (draining && !res.headersSent) res.setHeader('Connection', 'close');
}

async function respond(ctx: Context, metadata: RequestMetadata, match: Match): Promise<void> {
  requireAllowedHost(ctx, metadata.services);
  if (!isDecodable(ctx.path)) throw createRefusal('malformed_request', 'The path contains an invalid escape sequence.');
  if (match.kind === 'web') {
    serveWeb(ctx, match.web, metadata.basePath, await metadata.services.authenticator.getIssuerOrigins());
    return;
  }
  if (match.kind === 'none') throw createRefusal('route_not_found', 'This path does not exist.');
  if (ctx.method === 'OPTIONS') {
    ctx.set('Allow', match.allow().join(', '));
    ctx.status = 204;
    return;
  }
  if (match.kind === 'wrong_method') {
    const allow = match.allow().join(', ');
    throw createRefusal('method_not_allowed', `This path accepts only ${allow}.`, { allow });
  }
  await serveRoute(ctx, metadata, match);
}

/** Counts a failure without a principal, and returns the error to respond with: the original one, or `rate_limited`. */
async function countFailure(
  ctx: Context,
  { services, principal, isCounted }: RequestMetadata,
  match: Match,
  error: unknown,
): Promise<unknown> {
  const isProbe = match.kind === 'route' && match.route.definition.tag === 'health';
  // The caller is not responsible for errors of the server.
  if (
    principal !== undefined ||
    isCounted === true ||
    isProbe ||
    error instanceof ClientDisconnectedError ||
    toProblemResponse(error, { instance: '', traceId: '' }).status >= 500
  )
    return error;
  return services.rateLimits.countFailure(ctx.ip).then(
    () => error,
    (rateLimitError: unknown) => rateLimitError,
  );
}

function respondWithError(ctx: Context, { services, traceId }: RequestMetadata, error: unknown): void {
  if (error instanceof ClientDisconnectedError) {
    ctx.respond = false;
    ctx.res.destroy();
    return;
  }
  const problem = toProblemResponse(error, { instance: ctx.originalUrl.split('?', 1)[0] ?? ctx.path, traceId });
  if (problem.status >= 500)
    services.log.error({ err: error, traceId, method: ctx.method, path: ctx.path }, 'request failed');
  if (ctx.res.headersSent) {
    // The response has started: only aborting it shows the client that it is incomplete.
    ctx.res.destroy();
    return;
  }
  drainRefusedBody(ctx);
  for (const name of CONTENT_HEADERS) ctx.remove(name);
  ctx.respond = true;
  ctx.set({ ...problem.headers, 'Cache-Control': 'no-store' });
  if (problem.status === 408) ctx.set('Connection', 'close');
  ctx.status = problem.status;
  ctx.type = 'application/problem+json';
  ctx.body = JSON.stringify(problem.body);
}

function recordRequest(
  ctx: Context,
  { services, traceId, principal }: RequestMetadata,
  match: Match,
  seconds: number,
): void {
  const definition = match.kind === 'route' ? match.route.definition : undefined;
  const route = definition?.path ?? UNROUTED_NAMES[match.kind === 'route' ? 'none' : match.kind];
  // The duration of a stream does not measure the speed of the server.
  if (ctx.response.type !== 'text/event-stream') services.metrics.recordRequest(ctx.method, route, ctx.status, seconds);
  const runId = match.kind === 'route' ? match.params['runId'] : undefined;
  const entry = {
    traceId,
    method: ctx.method,
    path: ctx.path,
    status: ctx.status,
    ms: Math.round(seconds * 10_000) / 10,
    ...(runId === undefined ? {} : { runId }),
    ...(principal === undefined ? {} : { actor: principal.actor.id }),
  };
  // Successful requests are in the audit trail and the metrics; operators search the log for failures.
  if (ctx.status < 400 || QUIET_ROUTES.has(route)) services.log.debug(entry, 'request');
  else services.log.info(entry, 'request');
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
