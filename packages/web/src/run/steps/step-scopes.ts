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
  modelIndex: ModelIndex,
  sources: ReadonlyMap<string, readonly StepSource[]>,
): ReadonlyMap<string, string> {
  const scopes = new Map<string, string>();
  const loopBodies = new Map<string, Step[]>();
  const instances = new Map<string, Step[]>();
  const nextIndexByKey = new Map<string, number>();
  for (const step of steps) {
    const element = modelIndex.elements.get(step.elementId);
    const isLoopInstance = element?.loop !== undefined && !isLoopBody(step);
    const outer = isLoopInstance ? loopBodies.get(step.elementId) : instances.get(element?.scope ?? '');
    const source = isLoopInstance ? undefined : sources.get(step.stepId)?.[0]?.from;
    const sourceScope = source === undefined ? undefined : scopes.get(source.stepId);
    const outerStepId =
      sourceScope ??
      (outer === undefined ? undefined : findFirstOpen(outer, step, nextIndexByKey, isLoopInstance)?.stepId);
    if (outerStepId !== undefined) scopes.set(step.stepId, outerStepId);
    appendTo(isLoopBody(step) ? loopBodies : instances, step.elementId, step);
  }
  return scopes;
}

/** Returns, of the outer steps that were open then, the first in which this element has fewer entries. */
function findFirstOpen(
  outer: readonly Step[],
  step: Step,
  nextIndexByKey: Map<string, number>,
  isLoopInstance: boolean,
): Step | undefined {
  const key = isLoopInstance ? step.elementId : `${step.elementId} ${step.iteration}`;
  let index = nextIndexByKey.get(key) ?? 0;
  while (index < outer.length - 1 && hasEnded(outer[index], step.startedAt)) index++;
  // A loop has many instances; a sub-process has the first, second, … entry of each element once.
  nextIndexByKey.set(key, isLoopInstance ? index : Math.min(index + 1, outer.length));
  return outer[index];
}

function hasEnded(step: Step | undefined, time: string): boolean {
  const completedAt = step?.completedAt ?? null;
  return completedAt !== null && completedAt < time;
}

function appendTo(map: Map<string, Step[]>, key: string, step: Step): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [step]);
  else list.push(step);
}
