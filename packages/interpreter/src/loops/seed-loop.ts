import {
  type ElementInstance,
  type Expression,
  type FlowNode,
  type JsonObject,
  type LoopState,
  overlaid,
  type Taints,
} from '@countersign/model';
import type { Execution, InstanceSeed } from '../execution.js';

const NOT_BEGUN: LoopState = { items: null, count: null, begun: 0, completed: 0 };

/**
 * What makes the new instance of an activity with a loop its body, or a turn of it: the body holds the turns, and is
 * what a token sees of the loop (Zeebe: multi-instance body). Turns are counted from 1.
 */
export function seedLoop(
  execution: Execution,
  node: FlowNode,
  scopeKey: number,
  given?: InstanceSeed,
): InstanceSeed | undefined {
  if (node.loop === null) return given;
  const seed = given ?? {};
  const scope = execution.get(scopeKey);
  const { loop } = scope;
  if (loop === undefined || scope.elementId !== node.id) return { ...seed, loop: NOT_BEGUN };
  const loopCounter = loop.begun + 1;
  execution.put({ ...scope, loop: { ...loop, begun: loopCounter } });
  const own = loopInstanceVariables(node, loop, loopCounter);
  const taints = overlaid(seed.taints, own, turnTaints(node, loop));
  return {
    ...seed,
    loopCounter,
    variables: { ...seed.variables, ...own },
    ...(taints === undefined ? {} : { taints }),
  };
}

/** A turn sees which one it is, and its item. Both are its own: no other turn, and nothing behind the loop, sees them. */
export function loopInstanceVariables(node: FlowNode, { items }: LoopState, loopCounter: number): JsonObject {
  if (node.loop?.kind !== 'multiInstance') return { loopCounter };
  const { inputElement, outputElement } = node.loop;
  const own: JsonObject = {};
  // A result that the collection takes by its name has to stay with the turn (Zeebe 8.6: it exists there from the start).
  const result = outputElement === null ? undefined : variableOf(outputElement);
  if (result !== undefined) own[result] = null;
  if (inputElement !== null) own[inputElement] = items?.[loopCounter - 1] ?? null;
  return { ...own, loopCounter };
}

/** What of the variables of a turn no person vouches for: its item. */
export function turnTaints({ loop }: FlowNode, { taint }: LoopState): Taints | undefined {
  const name = loop?.kind === 'multiInstance' ? loop.inputElement : null;
  return name === null || taint === undefined ? undefined : { [name]: taint };
}

/** The variable that an expression consists of, `a` in `a` and in `a.b`. */
function variableOf({ source, reads }: Expression): string | undefined {
  const [path, ...others] = reads;
  return others.length === 0 && path !== undefined && source.trim() === path.join('.') ? path[0] : undefined;
}

/** The body of the loop that an instance is a turn of. */
export function bodyOf(execution: Execution, turn: ElementInstance): ElementInstance {
  if (turn.parent === null) throw new Error(`Turn ${turn.key} stands in no loop.`);
  return execution.get(turn.parent);
}
