import {
  type ElementInstance,
  type Expression,
  type FlowNode,
  type JsonObject,
  type LoopState,
  overlayTaints,
  type Taints,
} from '@countersign/model';
import type { Execution, InstanceSeed } from '../execution.js';

const UNSTARTED_LOOP: LoopState = { items: null, count: null, begun: 0, completed: 0 };

/**
 * Returns the initial values of a new instance of a loop activity, which is either the loop body or a loop instance.
 * The body is the scope of the loop instances (Zeebe: multi-instance body). Loop instances are counted from 1.
 */
export function seedLoop(
  execution: Execution,
  node: FlowNode,
  scopeKey: number,
  baseSeed?: InstanceSeed,
): InstanceSeed | undefined {
  if (node.loop === null) return baseSeed;
  const seed = baseSeed ?? {};
  const scope = execution.get(scopeKey);
  const { loop } = scope;
  if (loop === undefined || scope.elementId !== node.id) return { ...seed, loop: UNSTARTED_LOOP };
  const loopCounter = loop.begun + 1;
  execution.put({ ...scope, loop: { ...loop, begun: loopCounter } });
  const instanceVariables = buildLoopInstanceVariables(node, loop, loopCounter);
  const taints = overlayTaints(seed.taints, instanceVariables, buildLoopInstanceTaints(node, loop));
  return {
    ...seed,
    loopCounter,
    variables: { ...seed.variables, ...instanceVariables },
    ...(taints === undefined ? {} : { taints }),
  };
}

/**
 * Returns the variables of a loop instance: its number and its item. They are visible neither to other instances nor
 * after the loop.
 */
export function buildLoopInstanceVariables(node: FlowNode, { items }: LoopState, loopCounter: number): JsonObject {
  if (node.loop?.kind !== 'multiInstance') return { loopCounter };
  const { inputElement, outputElement } = node.loop;
  const instanceVariables: JsonObject = {};
  // A result variable that the output element reads must stay local to the instance, so it exists there from the start
  // (as in Zeebe 8.6).
  const result = outputElement === null ? undefined : findPlainVariable(outputElement);
  if (result !== undefined) instanceVariables[result] = null;
  if (inputElement !== null) instanceVariables[inputElement] = items?.[loopCounter - 1] ?? null;
  return { ...instanceVariables, loopCounter };
}

/** Returns the taints of a loop instance's variables, which only its item can have. */
export function buildLoopInstanceTaints({ loop }: FlowNode, { taint }: LoopState): Taints | undefined {
  const name = loop?.kind === 'multiInstance' ? loop.inputElement : null;
  return name === null || taint === undefined ? undefined : { [name]: taint };
}

/** Returns the name of the variable if the expression is only a variable or a path, such as `a` in `a` and in `a.b`. */
function findPlainVariable({ source, reads }: Expression): string | undefined {
  const [path, ...others] = reads;
  return others.length === 0 && path !== undefined && source.trim() === path.join('.') ? path[0] : undefined;
}

/** Returns the loop body of a loop instance. */
export function requireLoopBody(execution: Execution, loopInstance: ElementInstance): ElementInstance {
  if (loopInstance.parent === null) throw new Error(`Loop instance ${loopInstance.key} has no loop body.`);
  return execution.get(loopInstance.parent);
}
