import type { EvaluationState } from './budget.js';
import { isContext, isForbiddenKey } from './values.js';

/**
 * Link of the chain of local values during evaluation. The chain has one link for each link of the compile-time scope.
 */
export class Local {
  constructor(
    readonly parent: Local | undefined,
    readonly value: unknown,
  ) {}
}

export type Evaluate = (state: EvaluationState, local: Local) => unknown;

/** A compiled part of an expression. */
export interface Code {
  readonly evaluate: Evaluate;
  /** The value if it is known at compile time. Such values are never modified. */
  readonly constant?: { readonly value: unknown };
  /** The path if the code reads a variable unchanged. The value is then plain JSON. */
  readonly path?: readonly string[];
}

/** The content of one link of the scope chain: a named value, the item of a filter, or a context under construction. */
export type Binding =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'item' }
  | { readonly kind: 'context'; readonly names: Set<string> };

/** Names visible at a position in the source, innermost first. */
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

  /**
   * Returns whether the name is certainly bound here (`bound`), and whether it may be an entry of the item of a filter
   * (`possible`).
   */
  find(name: string): { readonly bound: boolean; readonly possible: boolean } {
    const { binding, parent } = this;
    if (binding.kind === 'name' && binding.name === name) return { bound: true, possible: false };
    if (binding.kind === 'context' && binding.names.has(name)) return { bound: true, possible: false };
    const outer = parent?.find(name) ?? { bound: false, possible: false };
    if (binding.kind !== 'item') return outer;
    return { bound: outer.bound || name === 'item', possible: true };
  }

  /**
   * Returns code that reads a name from the innermost link that contains it; `fallback` reads a name that no link
   * contains.
   */
  compileRead(name: string, fallback: Evaluate): Evaluate {
    return compileRead(this, name, 0, fallback);
  }
}

function compileRead(scope: Scope | undefined, name: string, depth: number, fallback: Evaluate): Evaluate {
  if (!scope) return fallback;
  const { binding } = scope;
  if (binding.kind === 'name') {
    return binding.name === name ? compileLocalRead(depth) : compileRead(scope.parent, name, depth + 1, fallback);
  }
  if (binding.kind === 'context') {
    return binding.names.has(name)
      ? compileContextEntryRead(depth, name)
      : compileRead(scope.parent, name, depth + 1, fallback);
  }
  const item = compileLocalRead(depth);
  const readOuter = name === 'item' ? item : compileRead(scope.parent, name, depth + 1, fallback);
  if (isForbiddenKey(name)) return readOuter;
  return (state, local) => {
    const value = item(state, local);
    return isContext(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : readOuter(state, local);
  };
}

function compileLocalRead(depth: number): Evaluate {
  if (depth === 0) return (_state, local) => local.value;
  if (depth === 1) return (_state, local) => local.parent?.value;
  if (depth === 2) return (_state, local) => local.parent?.parent?.value;
  return (_state, local) => {
    let current: Local | undefined = local;
    for (let i = 0; i < depth && current; i++) current = current.parent;
    return current?.value;
  };
}

function compileContextEntryRead(depth: number, name: string): Evaluate {
  const context = compileLocalRead(depth);
  return (state, local) => {
    const value = context(state, local);
    return isContext(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null;
  };
}
