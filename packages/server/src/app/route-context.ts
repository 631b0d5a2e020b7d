import type { OperationId, RouteResponseBody, RouteDefinition, Routes, ValidRequest } from '@countersign/contract';
import type { Caller, ReadContext } from '@countersign/core';
import type { Context } from 'koa';
import type { Principal } from '../auth/principal.js';
import type { Services } from './services.js';

/** A request that was read, validated and authorized, together with the services for its route. */
export interface RouteContext<R extends RouteDefinition = RouteDefinition> {
  readonly ctx: Context;
  readonly services: Services;
  readonly request: ValidRequest<R>;
  readonly principal: Principal;
  readonly caller: Caller;
  readonly viewer: ReadContext;
  /** The path under which the API is mounted, for links to itself: empty or `/prefix`. */
  readonly basePath: string;
}

/** Read-only form of a type at all levels. No handler changes a response body. */
type DeepReadonly<T> = T extends (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** The JSON response of a route: the body that its definition declares, or, with `?dryRun=true`, the plan. */
export interface HandlerResult<R extends RouteDefinition = RouteDefinition> {
  readonly status?: number;
  readonly body: DeepReadonly<RouteResponseBody<R>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Handles a request. Returns `undefined` if the handler has written the response itself. */
export type Handler<R extends RouteDefinition = RouteDefinition> = (
  exchange: RouteContext<R>,
) => Promise<HandlerResult<R> | undefined>;

/** One handler for each route of the contract. */
export type Handlers = { readonly [K in OperationId]: Handler<Routes[K]> };
