import type { ServiceIdentifier } from 'inversify';
import type { Plugin } from './define-plugin.js';
import type { HostProblem } from '../errors/host-problem.js';
import type { Registrations } from './registrations.js';

type Startable = Pick<Plugin, 'id' | 'dependsOn'>;

/**
 * Returns the ids of plugins in start order: each as early as its position in the list and its dependencies allow.
 * Plugins with circular dependencies are reported as a problem and placed last.
 */
export function determineStartOrder(
  plugins: readonly Startable[],
  registrations: Registrations,
): { readonly order: readonly string[]; readonly problems: readonly HostProblem[] } {
  const dependenciesByPlugin = new Map(
    plugins.map(({ id, dependsOn = [] }) => [
      id,
      new Set(dependsOn.flatMap((token) => findProviders(token, registrations)).filter((other) => other !== id)),
    ]),
  );
  const order: string[] = [];
  for (;;) {
    const readyPlugin = [...dependenciesByPlugin].find(([, dependencies]) =>
      [...dependencies].every((id) => !dependenciesByPlugin.has(id)),
    )?.[0];
    if (readyPlugin === undefined) break;
    dependenciesByPlugin.delete(readyPlugin);
    order.push(readyPlugin);
  }
  const cycle = [...dependenciesByPlugin.keys()];
  if (cycle.length === 0) return { order, problems: [] };
  const message = `The plugins ${cycle.map((id) => `"${id}"`).join(', ')} cannot be started, because of circular dependencies (dependsOn) among them.`;
  return { order: [...order, ...cycle], problems: [{ code: 'plugin_cycle', message, plugins: cycle }] };
}

function findProviders(token: ServiceIdentifier, { bindings, contributions }: Registrations): string[] {
  const bound = bindings.get(token);
  return [
    ...(bound === undefined ? [] : [bound.plugin]),
    ...(contributions.get(token) ?? []).map(({ plugin }) => plugin),
  ];
}
