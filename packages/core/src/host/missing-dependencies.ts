import { ClassElementMetadataKind, getClassMetadata } from '@inversifyjs/core';
import { LazyServiceIdentifier, type ServiceIdentifier } from 'inversify';
import type { HostProblem } from '../errors/host-problem.js';
import { tokenName, type BoundClass, type Registrations } from './registrations.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- of any constructor
type Class = new (...args: any[]) => unknown;

type Need = (token: ServiceIdentifier, needer: string, plugin: string | undefined) => void;
type Inspect = (implementation: Class, plugin: string) => void;

/** Finds missing dependencies of all classes that the container will create, without creating them. */
export function missingDependencies(
  registrations: Registrations,
  required: readonly ServiceIdentifier[],
  hints?: ReadonlyMap<ServiceIdentifier, string>,
): HostProblem[] {
  return problemsOf(registrations, hints, (need, inspect) => {
    for (const token of required) need(token, 'the server', undefined);
    for (const { plugin, implementation } of registrations.single.values())
      if (implementation !== undefined) inspect(implementation, plugin);
    for (const contributions of registrations.many.values())
      for (const { plugin, implementation } of contributions) inspect(implementation, plugin);
  });
}

/** Returns whether all direct and indirect dependencies of a class are available. */
export function canBeMade(registrations: Registrations, { plugin, implementation }: BoundClass): boolean {
  return problemsOf(registrations, undefined, (_need, inspect) => inspect(implementation, plugin)).length === 0;
}

function problemsOf(
  registrations: Registrations,
  hints: ReadonlyMap<ServiceIdentifier, string> = new Map(),
  search: (need: Need, inspect: Inspect) => void,
): HostProblem[] {
  const missing = new Map<ServiceIdentifier, { needers: Set<string>; plugins: Set<string> }>();
  const problems: HostProblem[] = [];
  const seen = new Set<Class>();
  search(need, inspect);
  for (const [token, { needers, plugins }] of missing) {
    const hint = hints.get(token);
    problems.push({
      code: 'missing_port',
      message: `No plugin provides ${tokenName(token)}, which ${[...needers].join(' and ')} ${needers.size === 1 ? 'needs' : 'need'}.${hint === undefined ? '' : ` ${hint}`}`,
      plugins: [...plugins],
    });
  }
  return problems;

  function inspect(implementation: Class, plugin: string): void {
    if (seen.has(implementation)) return;
    seen.add(implementation);
    for (const [index, argument] of constructorArguments(implementation).entries()) {
      if (argument === undefined || !('value' in argument)) {
        if (argument?.kind === ClassElementMetadataKind.unmanaged) continue;
        problems.push({
          code: 'invalid_plugin',
          message: `Argument ${index + 1} of the constructor of ${implementation.name} (plugin "${plugin}") has no @inject(Token).`,
          plugins: [plugin],
        });
      } else if (!argument.optional) {
        const token = LazyServiceIdentifier.is(argument.value) ? argument.value.unwrap() : argument.value;
        // A contribution point without contributions is an empty list.
        if (argument.kind === ClassElementMetadataKind.singleInjection)
          need(token, `${implementation.name} of "${plugin}"`, plugin);
      }
    }
  }

  function need(token: ServiceIdentifier, needer: string, plugin: string | undefined): void {
    if (registrations.single.has(token)) return;
    const byDefault = registrations.defaults.get(token);
    if (byDefault !== undefined) {
      inspect(byDefault.implementation, byDefault.plugin);
      return;
    }
    if (typeof token === 'function') {
      // A helper class of the plugin, which the container creates without a binding.
      inspect(token as Class, plugin ?? 'core');
      return;
    }
    const entry = missing.get(token) ?? { needers: new Set(), plugins: new Set() };
    missing.set(token, entry);
    entry.needers.add(needer);
    if (plugin !== undefined) entry.plugins.add(plugin);
  }
}

function constructorArguments(implementation: Class) {
  const declared = readMetadata(implementation);
  return Array.from({ length: Math.max(declared.length, implementation.length) }, (_, index) => declared[index]);
}

function readMetadata(implementation: Class) {
  try {
    return getClassMetadata(implementation).constructorArguments;
  } catch {
    // The function throws if arguments lack decorators. The caller detects that itself.
    return [];
  }
}
