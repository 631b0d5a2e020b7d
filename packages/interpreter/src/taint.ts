import {
  type ElementInstance,
  type Expression,
  type Mapping,
  overlayTaints,
  getTaintSources,
  type Taints,
  mergeTaintSources,
  type Value,
} from '@countersign/model';
import type { Execution } from './execution.js';

/** Returns the instance with its taints updated after variables of its own scope were written. */
export function withTaints(
  execution: Execution,
  instance: ElementInstance,
  written: object,
  taints: Taints | undefined,
): ElementInstance {
  if (instance.taints === undefined && taints === undefined) return instance;
  const { taints: before } = instance;
  const updatedTaints = overlayTaints(before, written, taints);
  if (updatedTaints === undefined) {
    const { taints: _taints, ...untaintedInstance } = instance;
    return untaintedInstance;
  }
  if (!execution.isTainted) execution.update({ tainted: true });
  return before === undefined ? { taints: updatedTaints, ...instance } : { ...instance, taints: updatedTaints };
}

/** Returns the taints of all variables that an instance sees. Inner variables hide outer ones. */
export function getVisibleTaints(
  find: (key: number) => ElementInstance | undefined,
  instance: ElementInstance,
): Taints | undefined {
  const chain: ElementInstance[] = [];
  for (let current: ElementInstance | undefined = instance; current !== undefined;) {
    chain.push(current);
    current = current.parent === null ? undefined : find(current.parent);
  }
  return chain.reduceRight<Taints | undefined>(
    (outer, { variables, taints }) =>
      variables === undefined ? outer : outer === undefined ? taints : overlayTaints(outer, variables, taints),
    undefined,
  );
}

/** Returns the taint sources of one variable as an instance sees it. */
export function getVariableTaintSources(
  execution: Execution,
  instance: ElementInstance,
  name: string,
): readonly string[] {
  for (let current: ElementInstance | undefined = instance; current !== undefined;) {
    if (current.variables !== undefined && Object.hasOwn(current.variables, name))
      return getTaintSources(current.taints, name);
    current = current.parent === null ? undefined : execution.find(current.parent);
  }
  return [];
}

/**
 * Returns the taint sources of an expression's result: the sources of all variables that the expression reads, even if
 * they do not affect the result.
 */
export function getExpressionTaintSources(
  execution: Execution,
  instance: ElementInstance,
  { reads }: Expression,
  localTaints?: Taints,
): readonly string[] {
  if (!execution.isTainted) return [];
  return mergeTaintSources(
    ...reads.map(([name = '']) =>
      localTaints !== undefined && Object.hasOwn(localTaints, name)
        ? getTaintSources(localTaints, name)
        : getVariableTaintSources(execution, instance, name),
    ),
  );
}

function getValueTaintSources(
  execution: Execution,
  instance: ElementInstance,
  value: Value,
  localTaints: Taints,
): readonly string[] {
  return 'literal' in value ? [] : getExpressionTaintSources(execution, instance, value.expression, localTaints);
}

/**
 * Returns the taints of the results of mappings, in their order: a later mapping reads what an earlier one wrote.
 *
 * @param options `own`: taints of variables that the mappings see before those of the instance; `mergesContexts`:
 *   whether a target within a context adds to the existing context (output mappings)
 */
export function getMappingTaints(
  execution: Execution,
  instance: ElementInstance,
  mappings: readonly Mapping[],
  { own = {}, mergesContexts: isMerging = false }: { own?: Taints; mergesContexts?: boolean } = {},
): Taints | undefined {
  if (!execution.isTainted || mappings.length === 0) return undefined;
  let written: Taints = {};
  for (const { source, target } of mappings) {
    const [name] = target;
    if (name === undefined) continue;
    const localTaints = { ...own, ...written };
    const existingTaint =
      target.length === 1
        ? []
        : Object.hasOwn(written, name)
          ? getTaintSources(written, name)
          : isMerging
            ? getVariableTaintSources(execution, instance, name)
            : [];
    written = {
      ...written,
      [name]: mergeTaintSources(existingTaint, getValueTaintSources(execution, instance, source, localTaints)),
    };
  }
  return written;
}

/**
 * Returns the taint sources of a step's input: the results of its input mappings, or all variables that it sees if it
 * has none.
 */
export function getStepInputTaintSources(
  execution: Execution,
  mappings: readonly Mapping[],
  instance: ElementInstance,
): readonly string[] {
  if (!execution.isTainted) return [];
  const taints = mappings.length > 0 ? instance.taints : getVisibleTaints((key) => execution.find(key), instance);
  return taints === undefined ? [] : mergeTaintSources(...Object.values(taints));
}

/** Stores the taints of the pending result with an incident. */
export function withResultTaints(instance: ElementInstance, resultTaints: Taints | undefined): ElementInstance {
  return resultTaints === undefined ? instance : { ...instance, resultTaints };
}
