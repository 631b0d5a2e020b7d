import type { z } from 'zod';
import type { RouteDefinition } from '../define-route.js';
import type { RequestOptions } from './transport.js';

type Simplify<T> = { [K in keyof T]: T[K] };
type NoArguments = Record<never, never>;
type Input<T> = T extends z.ZodType ? z.input<T> : NoArguments;

/** The request body, passed as `body` because its fields could have the same names as parameters. */
type BodyArgument<R extends RouteDefinition> = R extends { body: infer B extends z.ZodType }
  ? R extends { bodyOptional: true }
    ? { body?: z.input<B> }
    : { body: z.input<B> }
  : NoArguments;

/** The arguments of a route's method: path and query parameters side by side, and the body. */
export type RouteArgs<R extends RouteDefinition> = Simplify<Input<R['params']> & Input<R['query']> & BodyArgument<R>>;

/** The JSON result of a route; `never` if it has none. */
export type RouteResult<R extends RouteDefinition> = {
  [S in keyof R['responses']]: R['responses'][S] extends { content: { 'application/json': infer T extends z.ZodType } }
    ? z.output<T>
    : never;
}[keyof R['responses']];

/**
 * The JSON of any response of a route: its result, or the plan with `?dryRun=true`. `unknown` if the route type is
 * unknown.
 */
export type RouteResponseBody<R extends RouteDefinition> = RouteDefinition extends R
  ? unknown
  : RouteResult<R> | (R extends { dryRun: infer P extends z.ZodType } ? z.output<P> : never);

type Call<Args, Result> = NoArguments extends Args
  ? (args?: Args, options?: RequestOptions) => Promise<Result>
  : (args: Args, options?: RequestOptions) => Promise<Result>;

/** A call that returns the plan if and only if `dryRun` is `true`. */
type DryRunCall<R extends RouteDefinition, Plan> = {
  (args: Omit<RouteArgs<R>, 'dryRun'> & { dryRun: true }, options?: RequestOptions): Promise<Plan>;
  (args: Omit<RouteArgs<R>, 'dryRun'> & { dryRun?: false }, options?: RequestOptions): Promise<RouteResult<R>>;
};

/** The method of a route. */
export type RouteMethod<R extends RouteDefinition> = R extends { dryRun: infer P extends z.ZodType }
  ? DryRunCall<R, z.output<P>>
  : Call<RouteArgs<R>, RouteResult<R>>;

/** Routes that get a typed method: they respond with JSON, and accept neither raw bytes nor a signature. */
type JsonRoutes<R extends Record<string, RouteDefinition>> = {
  [
    K in keyof R as R[K] extends { bodyContentType: '*/*' } | { signed: true }
      ? never
      : [RouteResult<R[K]>] extends [never]
        ? never
        : K
  ]: R[K];
};

/** One typed method per JSON route of a table. */
export type JsonMethods<R extends Record<string, RouteDefinition>> = {
  readonly [K in keyof JsonRoutes<R>]: RouteMethod<JsonRoutes<R>[K]>;
};
