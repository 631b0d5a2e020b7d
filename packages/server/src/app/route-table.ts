import Router from '@koa/router';
import type { RequiredRole, RouteDefinition } from '@countersign/contract';
import type { Handler } from './route-context.js';

/** A route with its handler. */
export interface ServedRoute {
  readonly definition: RouteDefinition;
  /** The required role, read for each request because an admin may change it. */
  readonly role: RequiredRole;
  /**
   * Whether the route is available, checked for each request. While it is not, its path is unknown for every method.
   * Default: always available.
   */
  readonly isOpen?: () => boolean;
  readonly handler: Handler;
}

export type RouteMatch =
  | { readonly kind: 'none' }
  | { readonly kind: 'wrong_method'; allow(): readonly string[] }
  | {
      readonly kind: 'route';
      readonly route: ServedRoute;
      readonly params: Readonly<Record<string, string>>;
      allow(): readonly string[];
    };

const NO_MATCH: RouteMatch = Object.freeze({ kind: 'none' });

/** Finds routes by path and method; the paths come from the contract. */
export class RouteTable {
  /** Routers by number of segments and resource, so that a request is compared with only a few patterns. */
  private readonly routers = new Map<string, Router>();
  private readonly routesById = new Map<string, ServedRoute>();

  constructor(routes: readonly ServedRoute[]) {
    for (const route of routes) {
      const { operationId, method, path } = route.definition;
      this.routesById.set(operationId, route);
      const group = getRouteGroup(path);
      if (group.includes('{')) throw new Error(`The path ${path} must start with a name, not with a parameter.`);
      const router = this.routers.get(group) ?? new Router({ sensitive: true, strict: true });
      this.routers.set(group, router);
      router.register(path.replaceAll(/\{([^}]+)\}/g, ':$1'), [method], async () => undefined, { name: operationId });
    }
  }

  match(path: string, method: string): RouteMatch {
    const matchingLayers = this.routers.get(getRouteGroup(path))?.match(path, method).path ?? [];
    const openLayers = matchingLayers.filter(
      (layer) => layer.name === undefined || this.routesById.get(layer.name)?.isOpen?.() !== false,
    );
    if (openLayers.length === 0) return NO_MATCH;
    // As in OpenAPI, a path without parameters takes precedence over one with parameters.
    const minParamCount = Math.min(...openLayers.map((layer) => layer.paramNames.length));
    const bestLayers = openLayers.filter((layer) => layer.paramNames.length === minParamCount);
    const allow = (): string[] => [...new Set(['OPTIONS', ...bestLayers.flatMap((layer) => layer.methods)])].sort();
    const layer = bestLayers.find((each) => each.methods.includes(method));
    const route = layer?.name === undefined ? undefined : this.routesById.get(layer.name);
    if (layer === undefined || route === undefined) return { kind: 'wrong_method', allow };
    return { kind: 'route', route, params: layer.params(path, layer.captures(path)), allow };
  }
}

/** Returns the group of a path: for `/api/runs/42/cancel`, four segments and `runs`. */
function getRouteGroup(path: string): string {
  const segments = path.split('/');
  return `${segments.length - 1} ${segments[2] ?? ''}`;
}
