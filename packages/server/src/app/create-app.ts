import Koa from 'koa';
import { createServiceMiddleware, type CountersignMiddleware, type MiddlewareOptions } from './create-middleware.js';
import type { ServerHost } from './host.js';
import type { KoaApplication } from './koa-types.js';
import { createServices } from './services.js';

export interface CountersignApp {
  readonly app: KoaApplication;
  readonly middleware: CountersignMiddleware;
}

/** Creates the API as a separate Koa application that answers every path itself. */
export function createApp(host: ServerHost, options: MiddlewareOptions = {}): KoaApplication {
  return createAppWithMiddleware(host, options).app;
}

export function createAppWithMiddleware(host: ServerHost, options: MiddlewareOptions = {}): CountersignApp {
  const services = createServices(host);
  const middleware = createServiceMiddleware(services, options, true);
  // Only the address that the nearest proxy saw is reliable; the caller can forge the others.
  const app = new Koa({ proxy: services.configuration.Server.TrustProxy, maxIpsCount: 1 });
  // The middleware throws nothing, so these errors are broken connections.
  app.on('error', (error: unknown) => services.log.debug({ err: error }, 'connection broke'));
  app.use(middleware);
  return { app, middleware };
}
