import type { IncomingMessage, ServerResponse } from 'node:http';

/*
 * The Koa types that this package exposes. Koa ships no types, and `@types/koa` does not compile with every version of
 * `content-disposition` that npm may install, so a strict project should not need it to import this package.
 */

/** Minimal Koa context. */
interface KoaContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Middleware for `use()` of a Koa application. */
export type KoaMiddleware = (context: KoaContext, next: () => Promise<unknown>) => Promise<void>;

/** A Koa application that handles requests. */
export interface KoaApplication {
  /** Returns a request listener for `http.createServer()`. */
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}
