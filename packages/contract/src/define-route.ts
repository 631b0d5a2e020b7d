import type { z } from 'zod';
import type { ErrorCode, RequiredRole, Role } from '@countersign/model';

export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Response headers that the OpenAPI document describes. */
export type ResponseHeader =
  'Location' | 'ETag' | 'Content-Disposition' | 'Accept-Ranges' | 'Content-Range' | 'Retry-After';

export interface RouteResponse {
  readonly description: string;
  /** Schemas by media type. Default: no content. */
  readonly content?: Readonly<Record<string, z.ZodType>>;
  readonly headers?: readonly ResponseHeader[];
  readonly example?: unknown;
}

export interface RouteExample {
  readonly summary: string;
  readonly value: unknown;
}

/** One operation of the API. Its validation, documentation and client method are derived from this definition. */
export interface RouteDefinition {
  /** Unique in the whole document; also the name of the client method. */
  readonly operationId: string;
  readonly method: HttpMethod;
  /** Path with `{name}` for parameters, as in OpenAPI. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The minimum role; the default of `roleSetting` if that is set. */
  readonly role: RequiredRole;
  /** The configuration key that may set another minimum role. */
  readonly roleSetting?: string;
  /** The minimum role for detailed responses of a route that needs no token. */
  readonly detailsRole?: Role;
  /**
   * Whether the route must respond even if the database is unavailable. For such a route, nothing about the caller is
   * stored.
   */
  readonly isProbe?: true;
  readonly params?: z.ZodObject;
  /** The error code if a path parameter cannot be a valid id. Default: `not_found`. */
  readonly notFound?: ErrorCode;
  /**
   * The path parameter whose value is a name chosen by a user. An invalid name is refused as `validation_failed` with
   * the reason, not as not found.
   */
  readonly chosenName?: string;
  readonly query?: z.ZodObject;
  /** Request headers in lower case, in addition to those of `idempotent` and `stream`. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Whether the body is optional. */
  readonly bodyOptional?: boolean;
  /**
   * Default: `application/json`. The client sends the first type; the media range for all types means bytes of any
   * type.
   */
  readonly bodyContentType?: string | readonly string[];
  /** Whether a signature covers the bytes of the body, so that they are verified before they are parsed. */
  readonly signed?: boolean;
  readonly requestExamples?: Readonly<Record<string, RouteExample>>;
  readonly responses: Readonly<Record<number, RouteResponse>>;
  /** The response with `?dryRun=true`. */
  readonly dryRun?: z.ZodType;
  /** The data of each event, if the route (also) responds with `text/event-stream`. */
  readonly stream?: z.ZodType;
  /** The error codes of this route; `getErrorCodes` adds those of every route. */
  readonly errors: readonly ErrorCode[];
  /** Whether the route accepts `Idempotency-Key`. */
  readonly idempotent?: boolean;
  readonly deprecated?: boolean;
}

/**
 * Declares a route and keeps its exact types. Plugins use it to add their routes to the document.
 *
 * @throws {TypeError} if path and `params` disagree, because the document would then be wrong
 */
export function defineRoute<const R extends RouteDefinition>(route: R): Readonly<R> {
  const pathParameters = [...route.path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]).sort();
  const declaredParameters = Object.keys(route.params?.shape ?? {}).sort();
  if (pathParameters.join() !== declaredParameters.join()) {
    throw new TypeError(
      `Route ${route.operationId}: the path has the parameters {${pathParameters.join(', ')}}, but \`params\` declares {${declaredParameters.join(', ')}}.`,
    );
  }
  return Object.freeze(route);
}

/** Returns the media types of a route's body; empty if it has none. */
export function getBodyContentTypes(route: RouteDefinition): readonly string[] {
  if (!route.body) {
    return [];
  }
  const types = route.bodyContentType ?? 'application/json';
  return typeof types === 'string' ? [types] : types;
}

/** Returns all error codes of a route: its own, and those that follow from its definition. */
export function getErrorCodes(route: RouteDefinition): ErrorCode[] {
  const codes = new Set<ErrorCode>([
    'rate_limited',
    'internal_error',
    'service_unavailable',
    'malformed_request',
    'not_acceptable',
    'method_not_allowed',
    'host_not_allowed',
  ]);
  const add = (...addedCodes: readonly ErrorCode[]): void => addedCodes.forEach((code) => codes.add(code));
  if (route.role !== 'anonymous') {
    add('unauthenticated', 'invalid_token', 'forbidden');
  }
  if (route.query || route.headers) {
    add('invalid_parameter');
  }
  if (route.query?.shape['cursor']) {
    add('invalid_cursor');
  }
  if (route.params) {
    add(route.notFound ?? 'not_found');
    if ('runId' in route.params.shape) add('run_not_found');
  }
  if (route.chosenName) {
    add('validation_failed');
  }
  if (route.body) {
    add('unsupported_media_type', 'payload_too_large', 'request_timeout', 'body_already_read');
    if (route.signed !== true && getBodyContentTypes(route).includes('application/json')) {
      add('malformed_json', 'validation_failed', 'polluting_key');
    }
  }
  if (route.idempotent) {
    add(
      'invalid_parameter',
      'idempotency_in_flight',
      'idempotency_key_reused',
      'response_erased',
      'command_not_storable',
    );
  }
  add(...route.errors);
  return [...codes];
}
