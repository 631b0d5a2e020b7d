import type { Step } from '@countersign/contract';
import type { ModelIndex } from '../model-index.js';
import { isLoopBody, type StepSource } from './step-sources.js';

/**
 * Assigns each step to its outer step: its sub-process, or the loop it is an instance of. If a sub-process was entered
 * several times concurrently, the step that the flow came from identifies the entry; otherwise entries are assigned in
 * order.
 *
 * @returns `stepId` of the outer step by `stepId`; steps of the process itself have none
 */
export function findScopes(
  steps: readonly Step[],
  map: ModelIndex,
  sources: ReadonlyMap<string, readonly StepSource[]>,
): ReadonlyMap<string, string> {
  const scopes = new Map<string, string>();
  const bodies = new Map<string, Step[]>();
  const instances = new Map<string, Step[]>();
  const next = new Map<string, number>();
  for (const step of steps) {
    const element = map.elements.get(step.elementId);
    const isTurn = element?.loop !== undefined && !isLoopBody(step);
    const outer = isTurn ? bodies.get(step.elementId) : instances.get(element?.scope ?? '');
    const source = isTurn ? undefined : sources.get(step.stepId)?.[0]?.from;
    const known = source === undefined ? undefined : scopes.get(source.stepId);
    const found = known ?? (outer === undefined ? undefined : firstOpen(outer, step, next, isTurn)?.stepId);
    if (found !== undefined) scopes.set(step.stepId, found);
    add(isLoopBody(step) ? bodies : instances, step.elementId, step);
  }
  return scopes;
}

/** Returns, of the outer steps that were open then, the first in which this element has fewer entries. */
function firstOpen(outer: readonly Step[], step: Step, next: Map<string, number>, isTurn: boolean): Step | undefined {
  const key = isTurn ? step.elementId : `${step.elementId} ${step.iteration}`;
  let index = next.get(key) ?? 0;
  while (index < outer.length - 1 && hasEnded(outer[index], step.startedAt)) index++;
  // A loop has many instances; a sub-process has the first, second, … entry of each element once.
  next.set(key, isTurn ? index : Math.min(index + 1, outer.length));
  return outer[index];
}

function hasEnded(step: Step | undefined, moment: string): boolean {
  const completedAt = step?.completedAt ?? null;
  return completedAt !== null && completedAt < moment;
}

function add(map: Map<string, Step[]>, key: string, step: Step): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [step]);
  else list.push(step);
}
