import type { z } from 'zod';
import type { ErrorCode, RequiredRole, Role } from '@countersign/model';

export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Headers of a response that the document explains. */
export type ResponseHeader =
  'Location' | 'ETag' | 'Content-Disposition' | 'Accept-Ranges' | 'Content-Range' | 'Retry-After';

/** What a response carries, by media type; no content at all where it is left out. */
export interface RouteResponse {
  readonly description: string;
  readonly content?: Readonly<Record<string, z.ZodType>>;
  readonly headers?: readonly ResponseHeader[];
  readonly example?: unknown;
}

export interface RouteExample {
  readonly summary: string;
  readonly value: unknown;
}

/** One operation of the API: the source of its validation, its documentation and its client method. */
export interface RouteDefinition {
  /** Unique in the whole document; the name of the client method. */
  readonly operationId: string;
  readonly method: HttpMethod;
  /** With `{name}` for parameters, as in OpenAPI. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The least role; the default of `roleSetting` where there is one. */
  readonly role: RequiredRole;
  /** The configuration key that may set another least role. */
  readonly roleSetting?: string;
  /** Of a route that needs no token: the least role of callers that get more than the others. */
  readonly detailsRole?: Role;
  /** Whether it is answered while the database is unavailable, too, so that nothing is stored of the caller. */
  readonly isProbe?: true;
  readonly params?: z.ZodObject;
  /** What is answered where a path parameter can't be an id of anything; default `not_found`. */
  readonly notFound?: ErrorCode;
  /** The path parameter that is a name chosen by a user. A name that is not allowed is refused as `validation_failed`, with the reason, not as not found. */
  readonly chosenName?: string;
  readonly query?: z.ZodObject;
  /** Request headers in lower case, beside those that `idempotent` and `stream` bring. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Whether the body may be left out. */
  readonly bodyOptional?: boolean;
  /** Default `application/json`. The first one is what the client sends; the media range of all types means bytes of any. */
  readonly bodyContentType?: string | readonly string[];
  /** A signature covers the bytes of the body, so they are verified before anything is read of them. */
  readonly signed?: boolean;
  readonly requestExamples?: Readonly<Record<string, RouteExample>>;
  readonly responses: Readonly<Record<number, RouteResponse>>;
  /** What is answered instead with `?dryRun=true`. */
  readonly dryRun?: z.ZodType;
  /** The data of each event where the route (also) answers `text/event-stream`. */
  readonly stream?: z.ZodType;
  /** The codes of this route; those that any route can answer are added by `errorCodesOf`. */
  readonly errors: readonly ErrorCode[];
  /** Takes `Idempotency-Key`. */
  readonly idempotent?: boolean;
  readonly deprecated?: boolean;
}

/**
 * Declares a route and keeps its exact types. Throws where path and `params` disagree, as the
 * document would then be wrong; plugins use it to put their routes into the document.
 */
export function defineRoute<const R extends RouteDefinition>(route: R): Readonly<R> {
  const inPath = [...route.path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]).sort();
  const declared = Object.keys(route.params?.shape ?? {}).sort();
  if (inPath.join() !== declared.join()) {
    throw new TypeError(
      `Route ${route.operationId}: the path has {${inPath.join(', ')}}, params declare {${declared.join(', ')}}.`,
    );
  }
  return Object.freeze(route);
}

/** The media types that the body of a route may have; empty where it takes none. */
export function bodyContentTypes(route: RouteDefinition): readonly string[] {
  if (!route.body) {
    return [];
  }
  const types = route.bodyContentType ?? 'application/json';
  return typeof types === 'string' ? [types] : types;
}

/** All the codes that a route can answer: its own, and those that follow from what it takes. */
export function errorCodesOf(route: RouteDefinition): ErrorCode[] {
  const codes = new Set<ErrorCode>([
    'rate_limited',
    'internal_error',
    'service_unavailable',
    'malformed_request',
    'not_acceptable',
    'method_not_allowed',
    'host_not_allowed',
  ]);
  const add = (...more: readonly ErrorCode[]): void => more.forEach((code) => codes.add(code));
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
    if (route.signed !== true && bodyContentTypes(route).includes('application/json')) {
      add('malformed_json', 'validation_failed', 'polluting_key');
    }
  }
  if (route.idempotent) {
    add('invalid_parameter', 'idempotency_in_flight', 'idempotency_key_reused', 'command_not_storable');
  }
  add(...route.errors);
  return [...codes];
}
