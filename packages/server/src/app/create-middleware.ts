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
  /** Path that everything is served under, such as `/countersign`. Default: `Server:BasePath`, or none. */
  readonly prefix?: string;
  /**
   * Whether the web UI is served beside the API. Default: where all paths are Countersign's own, that is alone, under a
   * `prefix`, or under a path of koa-mount; at the root of someone else's application only the API.
   */
  readonly web?: boolean;
}

/** Koa middleware that serves the API and the web UI, and what its owner calls before the HTTP server is closed. */
export type CountersignMiddleware = KoaMiddleware & {
  /**
   * The first step of a stop behind a load balancer: readiness fails from now on, every answer asks the client to close its
   * connection, and requests are still served. Resolves after `Server:DrainDelay`, when event streams have been ended so that
   * their clients reconnect to another server. Close the HTTP server then, and stop the host last.
   */
  drain(): Promise<void>;
  /** The same without the delay, and the end of a delay that has begun. */
  close(): void;
};

/**
 * The API as middleware for a Koa application of one's own. It must be mounted before any body parser: a request whose body
 * was read is refused (`body_already_read`). Paths that are not Countersign's are
 * left to the application (`next`), and so are none of its errors. It may be mounted anywhere, also with koa-mount.
 *
 * @throws {AuthConfigurationError}
 */
export function createMiddleware(host: ServerHost, options: MiddlewareOptions = {}): CountersignMiddleware {
  return middlewareOf(createServices(host), options, false);
}

/** @param everything whether paths that are not the API's are answered as well: with a problem document. */
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
    // Streams stay open until the balancer sends nothing here any more: ended sooner, they would reconnect to this server.
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

/** What stands before the API's own paths, seen from outside; koa-mount takes its part off `path`. */
function mountOf(ctx: Context, prefix: string): string {
  if (ctx.originalUrl === ctx.path) return prefix;
  // A request may name its target with scheme and host (RFC 9112, 3.2.2), and the caller chooses what they say.
  const full = (ctx.originalUrl.split('?', 1)[0] ?? '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  return full.endsWith(ctx.path) ? `${full.slice(0, full.length - ctx.path.length)}${prefix}` : prefix;
}
