import Router from '@koa/router';
import type { RequiredRole, RouteDefinition } from '@countersign/contract';
import type { Handler } from './exchange.js';

/** A route as it is served. */
export interface ServedRoute {
  readonly definition: RouteDefinition;
  readonly role: RequiredRole;
  readonly handler: Handler;
}

export type RouteMatch =
  | { readonly kind: 'none' }
  | { readonly kind: 'wrong_method'; readonly allow: readonly string[] }
  | { readonly kind: 'route'; readonly route: ServedRoute; readonly params: Readonly<Record<string, string>>; readonly allow: readonly string[] };

const NONE: RouteMatch = Object.freeze({ kind: 'none' });

/** Finds routes by path and method; the paths are those of the contract. */
export class RouteTable {
  private readonly router = new Router({ sensitive: true, strict: true });
  private readonly served = new Map<string, ServedRoute>();

  constructor(routes: readonly ServedRoute[]) {
    for (const route of routes) {
      const { operationId, method, path } = route.definition;
      this.served.set(operationId, route);
      this.router.register(path.replaceAll(/\{([^}]+)\}/g, ':$1'), [method], async () => undefined, { name: operationId });
    }
  }

  match(path: string, method: string): RouteMatch {
    const found = this.router.match(path, method);
    if (found.path.length === 0) return NONE;
    const allow = [...new Set(['OPTIONS', ...found.path.flatMap((layer) => layer.methods)])].sort();
    const layer = found.pathAndMethod[0];
    const route = layer?.name === undefined ? undefined : this.served.get(layer.name);
    if (layer === undefined || route === undefined) return { kind: 'wrong_method', allow };
    return { kind: 'route', route, params: layer.params(path, layer.captures(path)), allow };
  }
}
