import { defineRoute, webhookRoutes, type RouteDefinition } from '@countersign/contract';
import { WebhookContribution, type WebhookDelivery } from '@countersign/core';
import type { Context } from 'koa';
import { z } from 'zod';
import type { RouteContext, Handler, Handlers, HandlerResult } from '../app/route-context.js';
import type { ServerHost } from '../app/server-host.js';
import { createRefusal } from '../app/problem.js';
import type { ServedRoute } from '../app/route-table.js';
import { hasBody } from '../middleware/has-body.js';
import { readBody } from '../middleware/read-body.js';
import { parseHostName, isLoopbackName, isLoopbackPeer } from '../net/host-names.js';
import type { Services } from '../app/services.js';

const BODY_TIMEOUT_MS = 30_000;
const EMPTY_BODY = Buffer.alloc(0);

/** Handlers of the webhooks in the contract. If no plugin serves a webhook, its path responds with 404. */
export const webhookHandlers = Object.fromEntries(
  Object.entries(webhookRoutes).map(([operationId, { path }]) => [operationId, createWebhookHandler(path)]),
) as Pick<Handlers, keyof typeof webhookRoutes>;

/** Returns whether a plugin serves a webhook of the contract and currently accepts inbound events. */
export function isOpenWebhook(host: ServerHost, path: string): boolean {
  return host.getAll(WebhookContribution).some((each) => each.path === path && each.isOpen());
}

/** Returns the routes of plugin webhooks outside the contract. */
export function createPluginWebhookRoutes(host: ServerHost): ServedRoute[] {
  const contractPaths = new Set<string>(Object.values(webhookRoutes).map(({ path }) => path));
  return host
    .getAll(WebhookContribution)
    .filter(({ path }) => !contractPaths.has(path))
    .map((webhook) => ({
      definition: definePluginRoute(webhook.path),
      role: 'anonymous',
      isOpen: () => webhook.isOpen(),
      handler: createWebhookHandler(webhook.path),
    }));
}

function definePluginRoute(path: string): RouteDefinition {
  return defineRoute({
    operationId: `webhook ${path}`,
    method: 'post',
    path,
    tag: 'webhooks',
    summary: 'Deliver an event to a plugin',
    role: 'anonymous',
    signed: true,
    body: z.unknown(),
    responses: { 200: { description: 'The response of the plugin.', content: { 'application/json': z.unknown() } } },
    errors: [],
  });
}

function createWebhookHandler(path: string): Handler {
  return async (exchange) => {
    const webhook = exchange.services.host.getAll(WebhookContribution).find((each) => each.path === path);
    if (webhook === undefined) throw createRefusal('route_not_found', 'This path does not exist.');
    const { status, body }: HandlerResult = await webhook.receive(await readDelivery(exchange));
    return { body, ...(status === undefined ? {} : { status }) };
  };
}

async function readDelivery({ ctx, services, caller }: RouteContext): Promise<WebhookDelivery> {
  const maxBytes = services.configuration.Limits.WebhookBytes;
  const body = hasBody(ctx.req) ? await readBody(ctx.req, { maxBytes, timeoutMs: BODY_TIMEOUT_MS }) : EMPTY_BODY;
  return {
    header: (name) => getSingleHeader(ctx, name),
    hasHeader: (name) => ctx.req.headersDistinct[name.toLowerCase()] !== undefined,
    body,
    from: ctx.ip,
    isLocal: isLocal({ req: ctx.req, services }),
    traceId: caller.traceId ?? '',
  };
}

/** Returns a header that occurs once. For a repeated header, it is unknown which value a proxy has checked. */
function getSingleHeader(ctx: Context, name: string): string | undefined {
  const values = ctx.req.headersDistinct[name.toLowerCase()];
  return values?.length === 1 ? values[0] : undefined;
}

/** Headers by which proxies and tunnels mark forwarded requests (RFC 7239, 4, and older headers). */
const FORWARDING_HEADERS = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'fastly-client-ip',
]);
const PROXY_HEADER_PATTERN = /^(?:x-forwarded-|x-original-|x-envoy-|cf-)/;

/**
 * Returns whether a program on this machine sent the request directly, as far as that can be detected. A proxy that
 * sends none of these headers is often revealed by the requested host name, or by its HTTP version (nginx uses 1.0 by
 * default).
 */
function isLocal({ req, services }: { req: Context['req']; services: Services }): boolean {
  const host = parseHostName(`http://${req.headers.host ?? ''}`);
  return (
    !services.configuration.Server.TrustProxy &&
    isLoopbackPeer(req.socket.remoteAddress) &&
    req.httpVersionMajor * 10 + req.httpVersionMinor >= 11 &&
    host !== undefined &&
    isLoopbackName(host) &&
    !Object.keys(req.headersDistinct).some((name) => FORWARDING_HEADERS.has(name) || PROXY_HEADER_PATTERN.test(name))
  );
}
