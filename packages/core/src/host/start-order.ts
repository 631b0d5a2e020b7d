import type { ServiceIdentifier } from 'inversify';
import type { Plugin } from './define-plugin.js';
import type { HostProblem } from '../errors/host-problem.js';
import type { Registrations } from './registrations.js';

type Startable = Pick<Plugin, 'id' | 'dependsOn'>;

/**
 * Returns the ids of plugins in start order: each as early as its position in the list and its dependencies allow.
 * Plugins with circular dependencies are a problem and come last.
 */
export function startOrder(
  plugins: readonly Startable[],
  registrations: Registrations,
): { readonly order: readonly string[]; readonly problems: readonly HostProblem[] } {
  const waiting = new Map(
    plugins.map(({ id, dependsOn = [] }) => [
      id,
      new Set(dependsOn.flatMap((token) => pluginsBehind(token, registrations)).filter((other) => other !== id)),
    ]),
  );
  const order: string[] = [];
  for (;;) {
    const next = [...waiting].find(([, behind]) => [...behind].every((id) => !waiting.has(id)))?.[0];
    if (next === undefined) break;
    waiting.delete(next);
    order.push(next);
  }
  const circle = [...waiting.keys()];
  if (circle.length === 0) return { order, problems: [] };
  const message = `The plugins ${circle.map((id) => `"${id}"`).join(', ')} cannot be started, because some of them depend on each other in a circle (dependsOn).`;
  return { order: [...order, ...circle], problems: [{ code: 'plugin_circle', message, plugins: circle }] };
}

function pluginsBehind(token: ServiceIdentifier, { single, many }: Registrations): string[] {
  const bound = single.get(token);
  return [...(bound === undefined ? [] : [bound.plugin]), ...(many.get(token) ?? []).map(({ plugin }) => plugin)];
}
