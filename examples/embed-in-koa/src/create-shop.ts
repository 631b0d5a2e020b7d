import { artifactsFilesystemPlugin } from '@countersign/artifacts-filesystem';
import { createHost, startHost, type JsonObject, type Plugin } from '@countersign/core';
import { engineEmbeddedPlugin } from '@countersign/engine-embedded';
import { policyCedarPlugin } from '@countersign/policy-cedar';
import { createMiddleware } from '@countersign/server';
import { storagePostgresPlugin } from '@countersign/storage-postgres';
import Koa from 'koa';
import { shopPlugin } from './shop-plugin.js';

export interface ShopOptions {
  /** Configuration of the shop. It overrides Countersign's defaults. */
  readonly configuration: JsonObject;
  /** Environment variables that override the configuration, for example `Auth__Issuer`; usually `process.env`. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Engine that executes the runs. */
  readonly engine?: Plugin;
}

export interface Shop {
  readonly app: Koa;
  /**
   * Prepares the shutdown: the shop still serves requests, while load balancers stop sending new ones. Await it before
   * you close the HTTP server.
   */
  drain(): Promise<void>;
  /** Stops Countersign. Call and await it after the HTTP server has closed. */
  close(): Promise<void>;
}

/** Creates a Koa application with its own routes and with Countersign under `/countersign`. */
export async function createShop({
  configuration,
  environment = {},
  engine = engineEmbeddedPlugin,
}: ShopOptions): Promise<Shop> {
  // Plugins start in this order and stop in reverse order. The engine is last, because it needs the other plugins.
  const host = await startHost((saved) =>
    createHost({
      plugins: [storagePostgresPlugin, artifactsFilesystemPlugin, policyCedarPlugin, shopPlugin, engine],
      configuration: { defaults: configuration, environment, saved },
    }),
  );

  const countersign = createMiddleware(host, { prefix: '/countersign' });
  const app = new Koa();
  app.use(async (ctx, next) => {
    ctx.set('X-Shop', 'open');
    await next();
  });
  // Before any body parser: Countersign reads request bodies itself, within its own limits.
  app.use(countersign);
  app.use((ctx) => {
    if (ctx.path === '/') ctx.body = 'Welcome to the shop.\n';
  });

  return {
    app,
    drain: () => countersign.drain(),
    close: () => host.stop(),
  };
}
