import Koa from 'koa';
import { createServiceMiddleware, type CountersignMiddleware, type MiddlewareOptions } from './create-middleware.js';
import type { ServerHost } from './server-host.js';
import type { KoaApplication } from './koa-types.js';
import { createServices } from './services.js';

export interface CountersignApp {
  readonly app: KoaApplication;
  readonly middleware: CountersignMiddleware;
}

/** Creates a standalone Koa application for the API. It responds to every path. */
export function createApp(host: ServerHost, options: MiddlewareOptions = {}): KoaApplication {
  return createAppWithMiddleware(host, options).app;
}

export function createAppWithMiddleware(host: ServerHost, options: MiddlewareOptions = {}): CountersignApp {
  const services = createServices(host);
  const middleware = createServiceMiddleware(services, options, true);
  // Only the address that the nearest proxy saw is reliable; the caller can forge the others.
  const app = new Koa({ proxy: services.configuration.Server.TrustProxy, maxIpsCount: 1 });
  // The middleware never throws, so these errors come from broken connections.
  app.on('error', (error: unknown) => services.log.debug({ err: error }, 'connection broke'));
  app.use(middleware);
  return { app, middleware };
}
