import type { Context, Middleware } from 'koa';
import { setTimeout } from 'node:timers/promises';
import { handleRequest, type Match } from '../middleware/handle-request.js';
import { createServedRoutes } from '../routes/handlers.js';
import { matchWeb } from '../web/serve-web.js';
import type { ServerHost } from './server-host.js';
import type { KoaMiddleware } from './koa-types.js';
import { RouteTable } from './route-table.js';
import { createServices, type Services } from './services.js';

export interface MiddlewareOptions {
  /** Path prefix of everything that is served, such as `/countersign`. Default: `Server:BasePath`, or none. */
  readonly prefix?: string;
  /**
   * Whether the web UI is served with the API. Default: `true` if Countersign owns all paths (standalone, under a
   * `prefix`, or under a path of koa-mount); `false` at the root of another application.
   */
  readonly web?: boolean;
}

/** Koa middleware that serves the API and the web UI, with the functions to call before the HTTP server is closed. */
export type CountersignMiddleware = KoaMiddleware & {
  /**
   * Prepares for a stop behind a load balancer: readiness fails from now on, every response asks the client to close
   * its connection, and requests are still served. Resolves after `Server:DrainDelay`, when the event streams have been
   * ended so that their clients reconnect to another server. Afterwards, close the HTTP server and finally stop the
   * host.
   */
  drain(): Promise<void>;
  /** Does the same as `drain()` without the delay, and ends a delay in progress. */
  close(): void;
};

/**
 * Creates middleware that serves the API in an existing Koa application. Mount it before any body parser: a request
 * whose body was already read is refused (`body_already_read`). Requests for other paths are passed to `next`; errors
 * never are. The middleware can be mounted at any path, also with koa-mount.
 *
 * @throws {AuthConfigurationError} if the sign-in configuration is unsafe or cannot work
 */
export function createMiddleware(host: ServerHost, options: MiddlewareOptions = {}): CountersignMiddleware {
  return createServiceMiddleware(createServices(host), options, false);
}

/** @param handlesAllPaths whether paths outside the API also get a response (a problem document) */
export function createServiceMiddleware(
  services: Services,
  options: MiddlewareOptions,
  handlesAllPaths: boolean,
): CountersignMiddleware {
  const prefix = (options.prefix ?? services.configuration.Server.BasePath ?? '').replace(/\/+$/, '');
  const table = new RouteTable(createServedRoutes(services.host));
  const middleware: Middleware = async (ctx, next) => {
    const path = stripPrefix(ctx.path, prefix);
    const mount = getMountPath(ctx, prefix);
    const match =
      path === undefined ? NO_MATCH : findMatch(ctx, path, options.web ?? (handlesAllPaths || mount !== ''));
    if (match.kind === 'none' && !handlesAllPaths) return next();
    await handleRequest(ctx, services, match, mount);
  };
  const findMatch = (ctx: Context, path: string, web: boolean): Match => {
    const match = table.match(path, ctx.method);
    const webMatch = match.kind === 'none' && web ? matchWeb(ctx, path) : undefined;
    return webMatch === undefined ? match : { kind: 'web', web: webMatch };
  };
  const closeController = new AbortController();
  const close = (): void => {
    services.draining = true;
    services.streams.endAll();
    closeController.abort();
    services.endedSessions.stop();
    services.rateLimits.stop();
    services.failedSignIns.flush();
  };
  const drain = async (): Promise<void> => {
    services.draining = true;
    // Streams stay open until the balancer stops routing to this server; a client would otherwise reconnect to it.
    await setTimeout(services.configuration.Server.DrainDelay, undefined, { signal: closeController.signal }).catch(
      () => undefined,
    );
    close();
  };
  return Object.assign(middleware as KoaMiddleware, { drain, close });
}

const NO_MATCH = Object.freeze({ kind: 'none' });

function stripPrefix(path: string, prefix: string): string | undefined {
  if (prefix === '') return path;
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}

/** Returns the external path at which the API is mounted. koa-mount removes its part from `path`. */
function getMountPath(ctx: Context, prefix: string): string {
  if (ctx.originalUrl === ctx.path) return prefix;
  // A request target may include scheme and host (RFC 9112, 3.2.2), and the caller controls both.
  const fullPath = (ctx.originalUrl.split('?', 1)[0] ?? '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  return fullPath.endsWith(ctx.path) ? `${fullPath.slice(0, fullPath.length - ctx.path.length)}${prefix}` : prefix;
}
