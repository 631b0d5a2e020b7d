import type { Caller } from '@countersign/core';
import type { Context } from 'koa';
import type { RouteContext, HandlerResult } from '../app/route-context.js';
import { createRefusal } from '../app/problem.js';
import type { RouteMatch, ServedRoute } from '../app/route-table.js';
import type { Services } from '../app/services.js';
import { getFormerHolder } from '../auth/authenticator.js';
import { ANONYMOUS, principalHasRole, type Principal } from '../auth/principal.js';
import { createForbiddenAuditEntry } from './forbidden-audit-entry.js';
import { requireAcceptable } from './media-types.js';
import { readIdempotencyKey, readRequest } from './read-request.js';
import { withRequestTimeLimit } from './request-time-limit.js';
import { sendJson } from './send-json.js';

const BODY_TIMEOUT_MS = 30_000;

/** Data about a request that is needed outside its route. */
export interface RequestMetadata {
  readonly services: Services;
  readonly traceId: string;
  readonly basePath: string;
  /** Set once the request is authenticated. */
  principal: Principal | undefined;
  /** Whether the request already counts towards a principal's limit. */
  isCounted?: true;
}

/** Processes a request for a route: authenticates, authorizes, validates, and sends the response. */
export function serveRoute(
  ctx: Context,
  metadata: RequestMetadata,
  match: Extract<RouteMatch, { kind: 'route' }>,
): Promise<void> {
  return withRequestTimeLimit(ctx, metadata.services.configuration.Limits.RequestTimeout, serve(ctx, metadata, match));
}

async function serve(
  ctx: Context,
  metadata: RequestMetadata,
  match: Extract<RouteMatch, { kind: 'route' }>,
): Promise<void> {
  const { services } = metadata;
  const { route, params } = match;
  const { definition } = route;
  const principal = await authorize(ctx, metadata, route, params);
  requireAcceptable(ctx, definition);
  const request = await readRequest(ctx, definition, params, {
    maxBytes: services.configuration.Limits.BodyBytes,
    timeoutMs: BODY_TIMEOUT_MS,
  });
  const idempotencyKey = readIdempotencyKey(ctx, definition);
  const caller: Caller = {
    actor: principal.actor,
    from: ctx.ip,
    traceId: metadata.traceId,
    ...(principal === ANONYMOUS ? {} : { signIn: principal.signIn }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
  const viewer = { actor: principal.actor, mayDecide: principalHasRole(principal, 'approver') };
  const exchange: RouteContext = { ctx, services, request, principal, caller, viewer, basePath: metadata.basePath };
  const result = await route.handler(exchange);
  if (result !== undefined) await sendResult(ctx, result);
}

async function authorize(
  ctx: Context,
  metadata: RequestMetadata,
  route: ServedRoute,
  params: Readonly<Record<string, string>>,
): Promise<Principal> {
  if (route.role === 'anonymous') return ANONYMOUS;
  const { services } = metadata;
  const { authenticator } = services;
  const { authorization } = ctx.headers;
  const authentication =
    route.definition.isProbe === true
      ? authenticator.authenticateProbe(authorization)
      : authenticator.authenticate(authorization);
  const principal = await authentication.catch(async (error: unknown) => {
    services.failedSignIns.countIfTokenRefused(ctx.ip, error);
    const formerHolder = getFormerHolder(error);
    if (formerHolder !== undefined) {
      // A user who must sign in again receives that response, even if other failures from the same network have
      // exceeded the limit.
      metadata.isCounted = true;
      await services.rateLimits.countPrincipal('former', formerHolder);
    }
    throw error;
  });
  metadata.principal = principal;
  await services.rateLimits.countPrincipal(principal.actor.type, principal.actor.id);
  if (principalHasRole(principal, route.role)) return principal;
  await services.audit.record(
    createForbiddenAuditEntry(
      { ...route.definition, role: route.role },
      params,
      principal,
      ctx.ip,
      services.clock.now(),
    ),
  );
  throw createRefusal('forbidden', `This request needs the role ${route.role}.`);
}

async function sendResult(ctx: Context, { status = 200, body, headers }: HandlerResult): Promise<void> {
  ctx.status = status;
  if (headers !== undefined) ctx.set({ ...headers });
  await sendJson(ctx, body);
}
