import {
  type ElementInstance,
  type EvaluationScope,
  isJsonObject,
  type Json,
  type JsonObject,
  type Mapping,
  type Taints,
  type Value,
} from '@countersign/model';
import type { Execution } from './execution.js';
import { withTaints } from './taint.js';

/**
 * Builds the evaluation scope of an element instance: `extra` variables first, then its own, then those of the scopes
 * around it.
 */
export function buildEvaluationScope(
  execution: Execution,
  instance: ElementInstance,
  extra?: JsonObject,
): EvaluationScope {
  return {
    now: execution.now,
    meter: execution.meter,
    variables: {
      get(name: string): unknown {
        if (extra !== undefined && Object.hasOwn(extra, name)) return extra[name];
        let current: ElementInstance | undefined = instance;
        while (current !== undefined) {
          if (current.variables !== undefined && Object.hasOwn(current.variables, name)) return current.variables[name];
          current = current.parent === null ? undefined : execution.find(current.parent);
        }
        return undefined;
      },
    },
  };
}

/** Returns all variables that an element instance sees. Inner variables hide outer ones. */
export function getVisibleVariables(
  find: (key: number) => ElementInstance | undefined,
  instance: ElementInstance,
): JsonObject {
  const chain: JsonObject[] = [];
  let current: ElementInstance | undefined = instance;
  while (current !== undefined) {
    if (current.variables !== undefined) chain.unshift(current.variables);
    current = current.parent === null ? undefined : find(current.parent);
  }
  return Object.assign({}, ...chain) as JsonObject;
}

export function evaluate(value: Value, scope: EvaluationScope): Json {
  return 'literal' in value ? value.literal : value.expression.evaluate(scope);
}

/**
 * Evaluates mappings in order. A later mapping sees the results of earlier ones (Zeebe: input mappings build one
 * context).
 */
export function evaluateMappings(
  mappings: readonly Mapping[],
  buildScope: (written: JsonObject) => EvaluationScope,
): JsonObject {
  const written: JsonObject = {};
  for (const mapping of mappings) {
    writePath(written, mapping.target, evaluate(mapping.source, buildScope(written)));
  }
  return written;
}

/**
 * Evaluates like {@link evaluateMappings}, but a target within a context, such as `a.b`, adds to the existing context
 * (Zeebe 8.6: output mappings merge contexts, input mappings make new ones).
 */
export function evaluateOutputMappings(
  mappings: readonly Mapping[],
  buildScope: (written: JsonObject) => EvaluationScope,
): JsonObject {
  const written: JsonObject = {};
  for (const { source, target } of mappings) {
    const value = evaluate(source, buildScope(written));
    const [name] = target;
    if (name !== undefined && target.length > 1 && !Object.hasOwn(written, name)) {
      const found = buildScope(written).variables.get(name) as Json | undefined;
      if (isJsonObject(found)) written[name] = { ...found };
    }
    writePath(written, target, value);
  }
  return written;
}

function writePath(target: JsonObject, path: readonly string[], value: Json): void {
  let container = target;
  for (const [index, part] of path.entries()) {
    if (index === path.length - 1) {
      container[part] = value;
      return;
    }
    const next = Object.hasOwn(container, part) ? container[part] : undefined;
    const inner: JsonObject = isJsonObject(next) ? { ...next } : {};
    container[part] = inner;
    container = inner;
  }
}

/**
 * Merges variables upwards from a scope. A variable that exists in a scope is written there; the rest is written to the
 * process (Zeebe: variable propagation).
 *
 * @param taints taints of the values; values without an entry become untainted
 */
export function mergeUpwards(execution: Execution, from: ElementInstance, values: JsonObject, taints?: Taints): void {
  const entries = Object.entries(values);
  let rest = entries;
  let current: ElementInstance | undefined = from;
  while (current !== undefined && rest.length > 0) {
    const parent: ElementInstance | undefined = current.parent === null ? undefined : execution.find(current.parent);
    const ownVariables = current.variables ?? {};
    const ownEntries = parent === undefined ? rest : rest.filter(([name]) => Object.hasOwn(ownVariables, name));
    if (ownEntries.length > 0) {
      // Usually all values are written to the process.
      const written = ownEntries === entries ? values : Object.fromEntries(ownEntries);
      execution.put(withTaints(execution, { ...current, variables: { ...ownVariables, ...written } }, written, taints));
      execution.variablesChanged = true;
      rest = ownEntries === rest ? [] : rest.filter((entry) => !ownEntries.includes(entry));
    }
    current = parent;
  }
}

/**
 * Writes variables into an instance's own scope.
 *
 * @param taints as in {@link mergeUpwards}
 */
export function setLocalVariables(
  execution: Execution,
  instance: ElementInstance,
  values: JsonObject,
  taints?: Taints,
): ElementInstance {
  if (Object.keys(values).length === 0) return instance;
  execution.variablesChanged = true;
  const { variables } = instance;
  // New members go first, as in `addWait`.
  const written =
    variables === undefined
      ? { variables: { ...values }, ...instance }
      : { ...instance, variables: { ...variables, ...values } };
  return execution.put(withTaints(execution, written, values, taints));
}
