import type { Context } from 'koa';
import { createRefusal } from '../app/problem.js';
import type { Services } from '../app/services.js';

/**
 * Refuses a request that addresses the server by an unknown host name. Behind a trusted proxy, this also applies to the
 * host name in the proxy's request.
 *
 * @throws {ApiError} `host_not_allowed`
 */
export function requireAllowedHost(ctx: Context, { allowedHosts, configuration }: Services): void {
  const forwarded = configuration.Server.TrustProxy ? ctx.headers['x-forwarded-host'] : undefined;
  const requestedHosts = [
    ctx.headers.host,
    ...[forwarded ?? []].flat().flatMap((value) => value.split(',').map((name) => name.trim())),
  ];
  if (requestedHosts.every((host) => allowedHosts.allows(host))) return;
  throw createRefusal(
    'host_not_allowed',
    'This host name is not allowed. Use the address of the server, or add the name to Server:AllowedHosts.',
  );
}
