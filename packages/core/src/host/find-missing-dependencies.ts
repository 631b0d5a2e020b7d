import { ClassElementMetadataKind, getClassMetadata } from '@inversifyjs/core';
import { LazyServiceIdentifier, type ServiceIdentifier } from 'inversify';
import type { HostProblem } from '../errors/host-problem.js';
import { getTokenName, type ClassBinding, type Registrations } from './registrations.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- accepts any constructor
type Constructor = new (...args: any[]) => unknown;

type RequireToken = (token: ServiceIdentifier, dependent: string, plugin: string | undefined) => void;
type InspectClass = (implementation: Constructor, plugin: string) => void;

/** Finds missing dependencies of all classes that the container will create, without creating them. */
export function findMissingDependencies(
  registrations: Registrations,
  required: readonly ServiceIdentifier[],
  hints?: ReadonlyMap<ServiceIdentifier, string>,
): HostProblem[] {
  return collectProblems(registrations, hints, (requireToken, inspectClass) => {
    for (const token of required) requireToken(token, 'the server', undefined);
    for (const { plugin, implementation } of registrations.bindings.values())
      if (implementation !== undefined) inspectClass(implementation, plugin);
    for (const contributions of registrations.contributions.values())
      for (const { plugin, implementation } of contributions) inspectClass(implementation, plugin);
  });
}

/** Returns whether all direct and indirect dependencies of a class are available. */
export function canBeConstructed(registrations: Registrations, { plugin, implementation }: ClassBinding): boolean {
  return (
    collectProblems(registrations, undefined, (_requireToken, inspectClass) => inspectClass(implementation, plugin))
      .length === 0
  );
}

function collectProblems(
  registrations: Registrations,
  hints: ReadonlyMap<ServiceIdentifier, string> = new Map(),
  visit: (requireToken: RequireToken, inspectClass: InspectClass) => void,
): HostProblem[] {
  const missing = new Map<ServiceIdentifier, { dependents: Set<string>; plugins: Set<string> }>();
  const problems: HostProblem[] = [];
  const seen = new Set<Constructor>();
  visit(requireToken, inspectClass);
  for (const [token, { dependents, plugins }] of missing) {
    const hint = hints.get(token);
    problems.push({
      code: 'missing_port',
      message: `No plugin provides ${getTokenName(token)}, which ${[...dependents].join(' and ')} ${dependents.size === 1 ? 'needs' : 'need'}.${hint === undefined ? '' : ` ${hint}`}`,
      plugins: [...plugins],
    });
  }
  return problems;

  function inspectClass(implementation: Constructor, plugin: string): void {
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
          requireToken(token, `${implementation.name} of "${plugin}"`, plugin);
      }
    }
  }

  function requireToken(token: ServiceIdentifier, dependent: string, plugin: string | undefined): void {
    if (registrations.bindings.has(token)) return;
    const defaultBinding = registrations.defaultBindings.get(token);
    if (defaultBinding !== undefined) {
      inspectClass(defaultBinding.implementation, defaultBinding.plugin);
      return;
    }
    if (typeof token === 'function') {
      // A helper class of the plugin, which the container creates without a binding.
      inspectClass(token as Constructor, plugin ?? 'core');
      return;
    }
    const entry = missing.get(token) ?? { dependents: new Set(), plugins: new Set() };
    missing.set(token, entry);
    entry.dependents.add(dependent);
    if (plugin !== undefined) entry.plugins.add(plugin);
  }
}

function constructorArguments(implementation: Constructor) {
  const declaredArguments = readMetadata(implementation);
  return Array.from(
    { length: Math.max(declaredArguments.length, implementation.length) },
    (_, index) => declaredArguments[index],
  );
}

function readMetadata(implementation: Constructor) {
  try {
    return getClassMetadata(implementation).constructorArguments;
  } catch {
    // `getClassMetadata` throws if arguments lack decorators. `inspectClass` reports these arguments.
    return [];
  }
}
