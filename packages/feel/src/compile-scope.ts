import type { Run } from './budget.js';
import { isContext, isForbiddenKey } from './values.js';

/** Values of local names when evaluating: a chain, as long as the compile-time scope is deep. */
export class Local {
  constructor(
    readonly parent: Local | undefined,
    readonly value: unknown,
  ) {}
}

export type Evaluate = (run: Run, local: Local) => unknown;

/** A compiled part of an expression. */
export interface Code {
  readonly evaluate: Evaluate;
  /** Set where the value is known when compiling; such values are never changed. */
  readonly constant?: { readonly value: unknown };
  /** Where the value is read as it is from a variable: its path. The value then is plain JSON. */
  readonly path?: readonly string[];
}

/** What one link of the chain holds: a named value, the item of a filter, or a context that is being built. */
export type Binding =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'item' }
  | { readonly kind: 'context'; readonly names: Set<string> };

/** Names that are visible at a place of the source, innermost first. */
export class Scope {
  static readonly root = new Scope(undefined, { kind: 'context', names: new Set() });

  private constructor(
    readonly parent: Scope | undefined,
    readonly binding: Binding,
  ) {}

  bind(...names: readonly string[]): Scope {
    return names.reduce<Scope>((scope, name) => new Scope(scope, { kind: 'name', name }), this);
  }

  bindItem(): Scope {
    return new Scope(this, { kind: 'item' });
  }

  bindContext(names: Set<string>): Scope {
    return new Scope(this, { kind: 'context', names });
  }

  /** Whether the name is bound here for certain, and whether the item of a filter might have it. */
  find(name: string): { readonly bound: boolean; readonly possible: boolean } {
    const { binding, parent } = this;
    if (binding.kind === 'name' && binding.name === name) return { bound: true, possible: false };
    if (binding.kind === 'context' && binding.names.has(name)) return { bound: true, possible: false };
    const outside = parent?.find(name) ?? { bound: false, possible: false };
    if (binding.kind !== 'item') return outside;
    return { bound: outside.bound || name === 'item', possible: true };
  }

  /** Code that reads a name, from the innermost link that has it; `fallback` reads it from outside. */
  read(name: string, fallback: Evaluate): Evaluate {
    return readFrom(this, name, 0, fallback);
  }
}

function readFrom(scope: Scope | undefined, name: string, depth: number, fallback: Evaluate): Evaluate {
  if (!scope) return fallback;
  const { binding } = scope;
  if (binding.kind === 'name') {
    return binding.name === name ? valueAt(depth) : readFrom(scope.parent, name, depth + 1, fallback);
  }
  if (binding.kind === 'context') {
    return binding.names.has(name) ? entryAt(depth, name) : readFrom(scope.parent, name, depth + 1, fallback);
  }
  const item = valueAt(depth);
  const outside = name === 'item' ? item : readFrom(scope.parent, name, depth + 1, fallback);
  if (isForbiddenKey(name)) return outside;
  return (run, local) => {
    const value = item(run, local);
    return isContext(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : outside(run, local);
  };
}

function valueAt(depth: number): Evaluate {
  if (depth === 0) return (_run, local) => local.value;
  if (depth === 1) return (_run, local) => local.parent?.value;
  if (depth === 2) return (_run, local) => local.parent?.parent?.value;
  return (_run, local) => {
    let link: Local | undefined = local;
    for (let i = 0; i < depth && link; i++) link = link.parent;
    return link?.value;
  };
}

function entryAt(depth: number, name: string): Evaluate {
  const context = valueAt(depth);
  return (run, local) => {
    const value = context(run, local);
    return isContext(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null;
  };
}
