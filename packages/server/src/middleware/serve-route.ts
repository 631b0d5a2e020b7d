import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Caller } from '@countersign/core';
import { inTurns, jsonChunksInPieces, mapInPieces } from '@countersign/model';
import type { Context } from 'koa';
import type { RouteContext, HandlerResult } from '../app/route-context.js';
import { refusal } from '../app/problem.js';
import type { RouteMatch, ServedRoute } from '../app/route-table.js';
import type { Services } from '../app/services.js';
import { formerHolderOf } from '../auth/authenticator.js';
import { ANONYMOUS, principalHasRole, type Principal } from '../auth/principal.js';
import { forbiddenEntry } from './forbidden-audit-entry.js';
import { negotiate } from './media-types.js';
import { idempotencyKeyOf, readRequest } from './read-request.js';
import { withinRequestLimit } from './request-limit.js';

const BODY_TIMEOUT_MS = 30_000;
/** Bytes to send before the event loop gets a turn. */
const SENT_IN_A_TURN = 1_048_576;
const JSON_TYPE = 'application/json; charset=utf-8';

/** The facts about a request before its route runs. */
export interface RequestMetadata {
  readonly services: Services;
  readonly traceId: string;
  readonly basePath: string;
  /** Set once it is known; used for the log. */
  principal: Principal | undefined;
  /** Whether the request already counts towards a principal's limit. */
  isCounted?: true;
}

/** Processes a request for a route: authenticates, authorizes, validates, and sends the response. */
export function serveRoute(
  ctx: Context,
  arrival: RequestMetadata,
  match: Extract<RouteMatch, { kind: 'route' }>,
): Promise<void> {
  return withinRequestLimit(ctx, arrival.services.configuration.Limits.RequestTimeout, serve(ctx, arrival, match));
}

async function serve(
  ctx: Context,
  arrival: RequestMetadata,
  match: Extract<RouteMatch, { kind: 'route' }>,
): Promise<void> {
  const { services } = arrival;
  const { route, params } = match;
  const { definition } = route;
  const principal = await authorize(ctx, arrival, route, params);
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
    ...(principal === ANONYMOUS ? {} : { signIn: principal.signIn }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
  const viewer = { actor: principal.actor, mayDecide: principalHasRole(principal, 'approver') };
  const exchange: RouteContext = { ctx, services, request, principal, caller, viewer, basePath: arrival.basePath };
  const reply = await route.handler(exchange);
  if (reply !== undefined) await send(ctx, reply);
}

async function authorize(
  ctx: Context,
  arrival: RequestMetadata,
  route: ServedRoute,
  params: Readonly<Record<string, string>>,
): Promise<Principal> {
  if (route.role === 'anonymous') return ANONYMOUS;
  const { services } = arrival;
  const { authenticator } = services;
  const { authorization } = ctx.headers;
  const authenticated =
    route.definition.isProbe === true
      ? authenticator.authenticateProbe(authorization)
      : authenticator.authenticate(authorization);
  const principal = await authenticated.catch(async (error: unknown) => {
    services.failedSignIns.note(ctx.ip, error);
    const holder = formerHolderOf(error);
    if (holder !== undefined) {
      // A user who must sign in again gets that response, regardless of other failures from the same network.
      arrival.isCounted = true;
      await services.limits.countPrincipal('former', holder);
    }
    throw error;
  });
  arrival.principal = principal;
  await services.limits.countPrincipal(principal.actor.type, principal.actor.id);
  if (principalHasRole(principal, route.role)) return principal;
  await services.audit.record(
    forbiddenEntry({ ...route.definition, role: route.role }, params, principal, ctx.ip, services.clock.now()),
  );
  throw refusal('forbidden', `This request needs the role ${route.role}.`);
}

async function send(ctx: Context, { status = 200, body, headers }: HandlerResult): Promise<void> {
  const chunks = await inTurns(encodedInPieces(body));
  ctx.status = status;
  ctx.set('Content-Type', JSON_TYPE);
  if (headers !== undefined) ctx.set({ ...headers });
  ctx.length = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  ctx.body = chunks.length === 1 ? chunks[0] : Readable.from(oneByOne(chunks));
}

function* encodedInPieces(body: unknown): Generator<void, Buffer[]> {
  return yield* mapInPieces(yield* jsonChunksInPieces(body), (chunk) => Buffer.from(chunk));
}

/** Yields the chunks with pauses: writing to a client that reads immediately would block the event loop. */
async function* oneByOne(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  let sinceTurn = 0;
  for (const chunk of chunks) {
    yield chunk;
    sinceTurn += chunk.byteLength;
    if (sinceTurn < SENT_IN_A_TURN) continue;
    await setImmediate();
    sinceTurn = 0;
  }
}
