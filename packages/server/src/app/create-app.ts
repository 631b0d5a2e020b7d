import Koa from 'koa';
import { middlewareOf, type CountersignMiddleware, type MiddlewareOptions } from './create-middleware.js';
import type { ServerHost } from './host.js';
import type { KoaApplication } from './koa-types.js';
import { createServices } from './services.js';

export interface CountersignApp {
  readonly app: KoaApplication;
  readonly middleware: CountersignMiddleware;
}

/** The API as a Koa application of its own: whatever path is asked for, the answer is the API's. */
export function createApp(host: ServerHost, options: MiddlewareOptions = {}): KoaApplication {
  return appOf(host, options).app;
}

export function appOf(host: ServerHost, options: MiddlewareOptions = {}): CountersignApp {
  const services = createServices(host);
  const middleware = middlewareOf(services, options, true);
  // Of several addresses only the one that the nearest proxy saw is sure; the others are what the caller says.
  const app = new Koa({ proxy: services.configuration.Server.TrustProxy, maxIpsCount: 1 });
  // What comes here are broken connections: the middleware throws nothing.
  app.on('error', (error: unknown) => services.log.debug({ err: error }, 'connection broke'));
  app.use(middleware);
  return { app, middleware };
}
