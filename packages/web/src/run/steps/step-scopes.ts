import type { Step } from '@countersign/contract';
import type { ModelIndex } from '../model-index.js';
import { isLoopBody, type StepSource } from './step-sources.js';

/**
 * Assigns each step to its outer step: its sub-process, or the loop it is an instance of. If a sub-process was entered
 * several times concurrently, the source of the step identifies the entry; otherwise entries are assigned in order.
 *
 * @returns `stepId` of the outer step by `stepId`; steps directly in the process have none
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
    const outerSteps = isLoopInstance ? loopBodies.get(step.elementId) : instances.get(element?.scope ?? '');
    const source = isLoopInstance ? undefined : sources.get(step.stepId)?.[0]?.from;
    const sourceScope = source === undefined ? undefined : scopes.get(source.stepId);
    const outerStepId =
      sourceScope ??
      (outerSteps === undefined ? undefined : findOuterStep(outerSteps, step, nextIndexByKey, isLoopInstance)?.stepId);
    if (outerStepId !== undefined) scopes.set(step.stepId, outerStepId);
    appendTo(isLoopBody(step) ? loopBodies : instances, step.elementId, step);
  }
  return scopes;
}

/**
 * Returns the first outer step that had not ended when the step started. An entry of a sub-process that already
 * contains this iteration of the element is skipped.
 */
function findOuterStep(
  outerSteps: readonly Step[],
  step: Step,
  nextIndexByKey: Map<string, number>,
  isLoopInstance: boolean,
): Step | undefined {
  const key = isLoopInstance ? step.elementId : `${step.elementId} ${step.iteration}`;
  let index = nextIndexByKey.get(key) ?? 0;
  while (index < outerSteps.length - 1 && hasEnded(outerSteps[index], step.startedAt)) index++;
  // A loop contains many instances; an entry of a sub-process contains each iteration of an element only once.
  nextIndexByKey.set(key, isLoopInstance ? index : Math.min(index + 1, outerSteps.length));
  return outerSteps[index];
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
