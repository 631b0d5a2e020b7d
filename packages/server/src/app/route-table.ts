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

const NONE: RouteMatch = Object.freeze({ kind: 'none' });

/** Finds routes by path and method; the paths come from the contract. */
export class RouteTable {
  /** Routers by number of segments and resource, so that a request is compared with only a few patterns. */
  private readonly routers = new Map<string, Router>();
  private readonly served = new Map<string, ServedRoute>();

  constructor(routes: readonly ServedRoute[]) {
    for (const route of routes) {
      const { operationId, method, path } = route.definition;
      this.served.set(operationId, route);
      const group = groupOf(path);
      if (group.includes('{')) throw new Error(`The path ${path} must start with a name, not with a parameter.`);
      const router = this.routers.get(group) ?? new Router({ sensitive: true, strict: true });
      this.routers.set(group, router);
      router.register(path.replaceAll(/\{([^}]+)\}/g, ':$1'), [method], async () => undefined, { name: operationId });
    }
  }

  match(path: string, method: string): RouteMatch {
    const matching = this.routers.get(groupOf(path))?.match(path, method).path ?? [];
    const found = matching.filter(
      (layer) => layer.name === undefined || this.served.get(layer.name)?.isOpen?.() !== false,
    );
    if (found.length === 0) return NONE;
    // As in OpenAPI, a path without parameters takes precedence over one with parameters.
    const least = Math.min(...found.map((layer) => layer.paramNames.length));
    const meant = found.filter((layer) => layer.paramNames.length === least);
    const allow = (): string[] => [...new Set(['OPTIONS', ...meant.flatMap((layer) => layer.methods)])].sort();
    const layer = meant.find((each) => each.methods.includes(method));
    const route = layer?.name === undefined ? undefined : this.served.get(layer.name);
    if (layer === undefined || route === undefined) return { kind: 'wrong_method', allow };
    return { kind: 'route', route, params: layer.params(path, layer.captures(path)), allow };
  }
}

/** Returns the group of a path: for `/api/runs/42/cancel`, four segments and `runs`. */
function groupOf(path: string): string {
  const segments = path.split('/');
  return `${segments.length - 1} ${segments[2] ?? ''}`;
}
