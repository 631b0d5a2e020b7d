import type { Context, Middleware } from 'koa';
import { setTimeout } from 'node:timers/promises';
import { handle, type Match } from '../middleware/handle.js';
import { servedRoutes } from '../routes/handlers.js';
import { matchWeb } from '../web/serve-web.js';
import type { ServerHost } from './host.js';
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
   * Starts a stop behind a load balancer: readiness fails from now on, every response asks the client to close its
   * connection, and requests are still served. Resolves after `Server:DrainDelay`, when event streams have been ended
   * so that their clients reconnect to another server. Then close the HTTP server, and stop the host last.
   */
  drain(): Promise<void>;
  /** Does the same as `drain()` without the delay, and ends a delay in progress. */
  close(): void;
};

/**
 * Creates middleware that serves the API in an existing Koa application. Mount it before any body parser: a request
 * whose body was already read is refused (`body_already_read`). Paths that do not belong to Countersign are passed on
 * (`next`); errors are not. The middleware can be mounted at any path, also with koa-mount.
 *
 * @throws {AuthConfigurationError}
 */
export function createMiddleware(host: ServerHost, options: MiddlewareOptions = {}): CountersignMiddleware {
  return middlewareOf(createServices(host), options, false);
}

/** @param everything whether paths outside the API also get a response (a problem document) */
export function middlewareOf(
  services: Services,
  options: MiddlewareOptions,
  everything: boolean,
): CountersignMiddleware {
  const prefix = (options.prefix ?? services.configuration.Server.BasePath ?? '').replace(/\/+$/, '');
  const table = new RouteTable(servedRoutes(services.host));
  const middleware: Middleware = async (ctx, next) => {
    const path = inside(ctx.path, prefix);
    const mount = mountOf(ctx, prefix);
    const match = path === undefined ? NOTHING : find(ctx, path, options.web ?? (everything || mount !== ''));
    if (match.kind === 'none' && !everything) return next();
    await handle(ctx, services, match, mount);
  };
  const find = (ctx: Context, path: string, web: boolean): Match => {
    const match = table.match(path, ctx.method);
    const page = match.kind === 'none' && web ? matchWeb(ctx, path) : undefined;
    return page === undefined ? match : { kind: 'web', web: page };
  };
  const closed = new AbortController();
  const close = (): void => {
    services.draining = true;
    services.streams.endAll();
    closed.abort();
    services.endedSessions.stop();
    services.limits.stop();
    services.failedSignIns.flush();
  };
  const drain = async (): Promise<void> => {
    services.draining = true;
    // Streams stay open until the balancer stops routing to this server; a client would otherwise reconnect to it.
    await setTimeout(services.configuration.Server.DrainDelay, undefined, { signal: closed.signal }).catch(
      () => undefined,
    );
    close();
  };
  return Object.assign(middleware as KoaMiddleware, { drain, close });
}

const NOTHING = Object.freeze({ kind: 'none' });

function inside(path: string, prefix: string): string | undefined {
  if (prefix === '') return path;
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}

/** Returns the external path before the API's own paths; koa-mount removes its part from `path`. */
function mountOf(ctx: Context, prefix: string): string {
  if (ctx.originalUrl === ctx.path) return prefix;
  // A request target may include scheme and host (RFC 9112, 3.2.2), and the caller controls both.
  const full = (ctx.originalUrl.split('?', 1)[0] ?? '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  return full.endsWith(ctx.path) ? `${full.slice(0, full.length - ctx.path.length)}${prefix}` : prefix;
}
