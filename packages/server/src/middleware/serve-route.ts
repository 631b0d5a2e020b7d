import type { Caller } from '@countersign/core';
import type { Context } from 'koa';
import type { Exchange, Reply } from '../app/exchange.js';
import { refusal } from '../app/problem.js';
import type { RouteMatch, ServedRoute } from '../app/route-table.js';
import type { Services } from '../app/services.js';
import { ANONYMOUS, may, type Principal } from '../auth/principal.js';
import { refusedEntry } from './audit-refusal.js';
import { negotiate } from './media-types.js';
import { idempotencyKeyOf, readRequest } from './read-request.js';

const BODY_TIMEOUT_MS = 30_000;
const JSON_TYPE = 'application/json; charset=utf-8';

/** What is known of a request before its route is asked. */
export interface Arrival {
  readonly services: Services;
  readonly traceId: string;
  readonly basePath: string;
  /** Set once it is known; for the log. */
  principal: Principal | undefined;
}

/** Takes a request through its route: who asks, whether they may, what exactly they ask, and the answer. */
export async function serveRoute(
  ctx: Context,
  arrival: Arrival,
  match: Extract<RouteMatch, { kind: 'route' }>,
): Promise<void> {
  const { services } = arrival;
  const { route, params } = match;
  const { definition } = route;
  const principal = await admit(ctx, arrival, route, params);
  negotiate(ctx, definition);
  const request = await readRequest(ctx, definition, params, {
    maxBytes: services.configuration.Limits.BodyBytes,
    timeoutMs: BODY_TIMEOUT_MS,
  });
  const idempotencyKey = idempotencyKeyOf(ctx, definition);
  const caller: Caller = {
    actor: principal.actor,
    from: ctx.ip,
    traceId: arrival.traceId,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
  const viewer = { actor: principal.actor, mayDecide: may(principal, 'approver') };
  const exchange: Exchange = { ctx, services, request, principal, caller, viewer, basePath: arrival.basePath };
  const reply = await route.handler(exchange);
  if (reply !== undefined) send(ctx, reply);
}

async function admit(
  ctx: Context,
  arrival: Arrival,
  route: ServedRoute,
  params: Readonly<Record<string, string>>,
): Promise<Principal> {
  if (route.role === 'anonymous') return ANONYMOUS;
  const { services } = arrival;
  const principal = await authenticate(ctx, services);
  arrival.principal = principal;
  await services.limits.countPrincipal(principal.actor.type, principal.actor.id);
  if (may(principal, route.role)) return principal;
  await services.audit.record(
    refusedEntry({ ...route.definition, role: route.role }, params, principal, ctx.ip, Date.now()),
  );
  throw refusal('forbidden', `This needs the role ${route.role}.`);
}

async function authenticate(ctx: Context, services: Services): Promise<Principal> {
  try {
    return await services.authenticator.authenticate(ctx.headers.authorization);
  } catch (error) {
    await services.limits.countFailedSignIn(ctx.ip);
    throw error;
  }
}

function send(ctx: Context, { status = 200, body, headers }: Reply): void {
  ctx.status = status;
  ctx.set('Content-Type', JSON_TYPE);
  if (headers !== undefined) ctx.set({ ...headers });
  ctx.body = JSON.stringify(body);
}
