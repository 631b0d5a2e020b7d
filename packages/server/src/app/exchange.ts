import type { OperationId, RouteDefinition, Routes, ValidRequest } from '@countersign/contract';
import type { Caller, Viewer } from '@countersign/core';
import type { Context } from 'koa';
import type { Principal } from '../auth/principal.js';
import type { Services } from './services.js';

/** A request on its way through a route: read, validated, and from somebody who may do this. */
export interface Exchange<R extends RouteDefinition = RouteDefinition> {
  readonly ctx: Context;
  readonly services: Services;
  readonly request: ValidRequest<R>;
  readonly principal: Principal;
  readonly caller: Caller;
  readonly viewer: Viewer;
  /** The path under which the API is mounted, for references to itself: empty or `/prefix`. */
  readonly basePath: string;
}

/** What a route answers as JSON. */
export interface Reply {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers an exchange; with nothing where it has written the answer itself. */
export type Handler<R extends RouteDefinition = RouteDefinition> = (
  exchange: Exchange<R>,
) => Promise<Reply | undefined>;

/** One handler for each route of the contract. */
export type Handlers = { readonly [K in OperationId]: Handler<Routes[K]> };
