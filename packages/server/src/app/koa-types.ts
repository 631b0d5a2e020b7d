import type { IncomingMessage, ServerResponse } from 'node:http';

/*
 * What this package's own types need of Koa's. Koa has none itself, and `@types/koa` does not compile beside every version
 * of `content-disposition` that npm may put next to it, so a strict project should not need it to import this package.
 */

/** What a context of Koa has at least. */
interface KoaContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Goes into `use()` of a Koa application. */
export type KoaMiddleware = (context: KoaContext, next: () => Promise<unknown>) => Promise<void>;

/** A Koa application, to be handed requests. */
export interface KoaApplication {
  /** A request listener for `http.createServer()`. */
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}
