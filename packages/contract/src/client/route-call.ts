import { getBodyContentTypes, type HttpMethod, type RouteDefinition } from '../define-route.js';

/**
 * What the client must know to call a route. It includes neither schemas nor texts, so that a client in a browser does
 * not load them.
 */
export interface RouteCall {
  readonly method: HttpMethod;
  /** Path with `{name}` for parameters. */
  readonly path: string;
  /** Names of the query parameters; omitted if there are none. */
  readonly query?: readonly string[];
  /** Media type of the body that the client sends; omitted if the route has no body. */
  readonly contentType?: string;
  /** Statuses of the declared responses. Any other status is an error. */
  readonly statuses: readonly number[];
  /** Whether the route accepts `Idempotency-Key`. */
  readonly idempotent?: true;
  /**
   * Whether the route gets its own method: it responds with JSON, and accepts neither raw bytes nor a signature.
   */
  readonly hasMethod?: true;
}

/** Returns what the client must know about a route. */
export function toRouteCall(route: RouteDefinition): RouteCall {
  const contentTypes = getBodyContentTypes(route);
  const query = Object.keys(route.query?.shape ?? {});
  const hasMethod =
    route.signed !== true &&
    !contentTypes.includes('*/*') &&
    Object.values(route.responses).some((response) => response.content?.['application/json']);
  return {
    method: route.method,
    path: route.path,
    ...(query.length === 0 ? {} : { query }),
    ...(contentTypes[0] === undefined ? {} : { contentType: contentTypes[0] }),
    statuses: Object.keys(route.responses).map(Number),
    ...(route.idempotent === true ? { idempotent: true } : {}),
    ...(hasMethod ? { hasMethod } : {}),
  };
}

/** Returns the names of the path parameters. */
export function listPathParameters({ path }: RouteCall): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
}
