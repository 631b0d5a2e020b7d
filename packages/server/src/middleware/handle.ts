import type { Context } from 'koa';
import { problemOf, refusal } from '../app/problem.js';
import type { RouteMatch } from '../app/route-table.js';
import type { Services } from '../app/services.js';
import { drainRefusedBody } from './drain-refused-body.js';
import { serveWeb, type WebMatch } from '../web/serve-web.js';
import { requireAllowedHost } from './require-allowed-host.js';
import { CallerGoneError } from './read-body.js';
import { traceIdOf } from './request-id.js';
import { setSecurityHeaders } from './security-headers.js';
import { serveRoute, type RequestMetadata } from './serve-route.js';

/** Probes come every few seconds; nobody wants to read of them. */
const QUIET: ReadonlySet<string> = new Set(['/api/health/live', '/api/health/ready', '/metrics']);

/** How metrics and the log name what is not a route of the API. */
const UNROUTED = Object.freeze({ none: 'unknown', wrong_method: 'wrong method', web: 'web' });

/** Headers that a route may have set for content that is not sent now. */
const OF_CONTENT = ['ETag', 'Content-Disposition', 'Accept-Ranges', 'Content-Length', 'Location'];

/** What a path names: a route of the API, or a part of the web UI. */
export type Match = RouteMatch | { readonly kind: 'web'; readonly web: WebMatch };

/** Answers a request, whatever happens: nothing is thrown on, so a host application's error handler never sees it. */
export async function handle(ctx: Context, services: Services, match: Match, basePath: string): Promise<void> {
  const startedAt = process.hrtime.bigint();
  const arrival: RequestMetadata = {
    services,
    traceId: traceIdOf(ctx.headers['x-request-id']),
    basePath,
    principal: undefined,
  };
  services.bodyParsers.look(ctx);
  ctx.set('X-Request-Id', arrival.traceId);
  setSecurityHeaders(ctx);
  announceEnd(ctx, services); // before an event stream or a download begins
  try {
    await answer(ctx, arrival, match);
  } catch (error) {
    fail(ctx, arrival, await counted(ctx, arrival, match, error));
  }
  announceEnd(ctx, services); // the server may have been told to stop meanwhile
  finish(ctx, arrival, match, Number(process.hrtime.bigint() - startedAt) / 1e9);
}

/** Asks the client of a server that stops not to reuse the connection (RFC 9110, section 7.6.1). */
function announceEnd({ res }: Context, { draining }: Services): void {
  if (draining && !res.headersSent) res.setHeader('Connection', 'close');
}

async function answer(ctx: Context, arrival: RequestMetadata, match: Match): Promise<void> {
  requireAllowedHost(ctx, arrival.services);
  if (!isDecodable(ctx.path)) throw refusal('malformed_request', 'The path contains an invalid escape sequence.');
  if (match.kind === 'web') {
    serveWeb(ctx, match.web, arrival.basePath, await arrival.services.authenticator.issuerOrigins());
    return;
  }
  if (match.kind === 'none') throw refusal('route_not_found', 'Nothing is served under this path.');
  if (ctx.method === 'OPTIONS') {
    ctx.set('Allow', match.allow().join(', '));
    ctx.status = 204;
    return;
  }
  if (match.kind === 'wrong_method') {
    const allow = match.allow().join(', ');
    throw refusal('method_not_allowed', `This path takes ${allow}.`, { allow });
  }
  await serveRoute(ctx, arrival, match);
}

/** What is answered to a failure: that there were too many of them, where nobody stands for the request. */
async function counted(
  ctx: Context,
  { services, principal, isCounted }: RequestMetadata,
  match: Match,
  error: unknown,
): Promise<unknown> {
  const isProbe = match.kind === 'route' && match.route.definition.tag === 'health';
  // Faults of the server are not the caller's.
  if (
    principal !== undefined ||
    isCounted === true ||
    isProbe ||
    error instanceof CallerGoneError ||
    problemOf(error, { instance: '', traceId: '' }).status >= 500
  )
    return error;
  return services.limits.countFailure(ctx.ip).then(
    () => error,
    (refused: unknown) => refused,
  );
}

function fail(ctx: Context, { services, traceId }: RequestMetadata, error: unknown): void {
  if (error instanceof CallerGoneError) {
    ctx.respond = false;
    ctx.res.destroy();
    return;
  }
  const problem = problemOf(error, { instance: ctx.originalUrl.split('?', 1)[0] ?? ctx.path, traceId });
  if (problem.status >= 500)
    services.log.error({ err: error, traceId, method: ctx.method, path: ctx.path }, 'request failed');
  if (ctx.res.headersSent) {
    // The answer has begun: breaking it off is the only way left to say that it is not whole.
    ctx.res.destroy();
    return;
  }
  drainRefusedBody(ctx);
  for (const name of OF_CONTENT) ctx.remove(name);
  ctx.respond = true;
  ctx.set({ ...problem.headers, 'Cache-Control': 'no-store' });
  if (problem.status === 408) ctx.set('Connection', 'close');
  ctx.status = problem.status;
  ctx.type = 'application/problem+json';
  ctx.body = JSON.stringify(problem.body);
}

function finish(ctx: Context, { services, traceId, principal }: RequestMetadata, match: Match, seconds: number): void {
  const definition = match.kind === 'route' ? match.route.definition : undefined;
  const route = definition?.path ?? UNROUTED[match.kind === 'route' ? 'none' : match.kind];
  // How long somebody listened says nothing about how fast the server is.
  if (ctx.response.type !== 'text/event-stream') services.metrics.request(ctx.method, route, ctx.status, seconds);
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
  // What succeeded is in the audit trail and the metrics; at night an operator looks for what did not.
  if (ctx.status < 400 || QUIET.has(route)) services.log.debug(entry, 'request');
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
