import { artifactsFilesystemPlugin } from '@countersign/artifacts-filesystem';
import { createHost, startHost, type JsonObject } from '@countersign/core';
import { engineEmbeddedPlugin } from '@countersign/engine-embedded';
import { policyCedarPlugin } from '@countersign/policy-cedar';
import { createMiddleware } from '@countersign/server';
import { storagePostgresPlugin } from '@countersign/storage-postgres';
import Koa from 'koa';
import { shopPlugin } from './shop-plugin.js';

export interface ShopOptions {
  /** What the shop prefers to Countersign's defaults. */
  readonly configuration: JsonObject;
  /** Covers the configuration (`Auth__Issuer`); usually `process.env`. */
  readonly environment?: NodeJS.ProcessEnv;
}

export interface Shop {
  readonly app: Koa;
  /** To be awaited before the HTTP server is closed: the shop is still open, but a load balancer sends new customers elsewhere. */
  drain(): Promise<void>;
  /** To be awaited after the HTTP server has closed. */
  close(): Promise<void>;
}

/** Somebody's own Koa application, with Countersign under `/countersign` beside its own routes. */
export async function createShop({ configuration, environment = {} }: ShopOptions): Promise<Shop> {
  // Started in this order, stopped in the reverse: the engine last, as it gives work to all the others.
  const host = await startHost((saved) =>
    createHost({
      plugins: [storagePostgresPlugin, artifactsFilesystemPlugin, policyCedarPlugin, shopPlugin, engineEmbeddedPlugin],
      configuration: { defaults: configuration, environment, saved },
    }),
  );

  const countersign = createMiddleware(host, { prefix: '/countersign' });
  const app = new Koa();
  app.use(async (ctx, next) => {
    ctx.set('X-Shop', 'open');
    await next();
  });
  // Before any body parser: Countersign reads its bodies itself, within its own limits.
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
