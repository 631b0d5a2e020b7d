import type { z } from 'zod';
import type { RouteDefinition } from '../define-route.js';
import type { RequestOptions } from './transport.js';

type Simplify<T> = { [K in keyof T]: T[K] };
type NoArguments = Record<never, never>;
type Input<T> = T extends z.ZodType ? z.input<T> : NoArguments;

/** The body of a request, under `body`, as its names could be those of a parameter. */
type BodyArgument<R extends RouteDefinition> = R extends { body: infer B extends z.ZodType }
  ? R extends { bodyOptional: true }
    ? { body?: z.input<B> }
    : { body: z.input<B> }
  : NoArguments;

/** What the method of a route takes: path and query parameters side by side, and the body. */
export type RouteArgs<R extends RouteDefinition> = Simplify<Input<R['params']> & Input<R['query']> & BodyArgument<R>>;

/** What a route answers as JSON; `never` where it does not. */
export type RouteResult<R extends RouteDefinition> = {
  [S in keyof R['responses']]: R['responses'][S] extends { content: { 'application/json': infer T extends z.ZodType } }
    ? z.output<T>
    : never;
}[keyof R['responses']];

/** The JSON of any response of a route: its result, or with `?dryRun=true` the plan. `unknown` where the type of the route is not known. */
export type RouteResponseBody<R extends RouteDefinition> = RouteDefinition extends R
  ? unknown
  : RouteResult<R> | (R extends { dryRun: infer P extends z.ZodType } ? z.output<P> : never);

type Call<Args, Result> = NoArguments extends Args
  ? (args?: Args, options?: RequestOptions) => Promise<Result>
  : (args: Args, options?: RequestOptions) => Promise<Result>;

/** With `dryRun: true` the answer is the plan, and else never. */
type DryRunCall<R extends RouteDefinition, Plan> = {
  (args: Omit<RouteArgs<R>, 'dryRun'> & { dryRun: true }, options?: RequestOptions): Promise<Plan>;
  (args: Omit<RouteArgs<R>, 'dryRun'> & { dryRun?: false }, options?: RequestOptions): Promise<RouteResult<R>>;
};

/** The method of a route. */
export type RouteMethod<R extends RouteDefinition> = R extends { dryRun: infer P extends z.ZodType }
  ? DryRunCall<R, z.output<P>>
  : Call<RouteArgs<R>, RouteResult<R>>;

/** Routes that take and answer what one typed method can: no raw bytes, no signature, no stream alone. */
type JsonRoutes<R extends Record<string, RouteDefinition>> = {
  [
    K in keyof R as R[K] extends { bodyContentType: '*/*' } | { signed: true }
      ? never
      : [RouteResult<R[K]>] extends [never]
        ? never
        : K
  ]: R[K];
};

/** One typed method for each JSON route of a table. */
export type JsonMethods<R extends Record<string, RouteDefinition>> = {
  readonly [K in keyof JsonRoutes<R>]: RouteMethod<JsonRoutes<R>[K]>;
};
