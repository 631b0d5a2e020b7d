import type { ElementInstance } from '@countersign/core/engine';

/** Sources of taint of the variables that an instance sees, by name: those of the innermost scope that has the variable. */
export function visibleTaints(find: (key: number) => ElementInstance | undefined, instance: ElementInstance): Readonly<Record<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (let scope: ElementInstance | undefined = instance; scope !== undefined; scope = scope.parent === null ? undefined : find(scope.parent)) {
    const { variables = {}, taints = {} } = scope;
    for (const name of Object.keys(variables)) {
      if (!found.has(name)) found.set(name, Object.hasOwn(taints, name) ? (taints[name] ?? []) : []);
    }
  }
  return Object.fromEntries([...found].filter(([, sources]) => sources.length > 0));
}
