import type { Step } from '@countersign/contract';
import type { IndexedFlow, ModelIndex } from '../model-index.js';

/** Source of a step: the sequence flow that led to it and the step that took the flow. */
export interface StepSource {
  readonly flow: IndexedFlow;
  readonly from: Step;
}

const JOINING_GATEWAYS: ReadonlySet<string> = new Set(['parallelGateway', 'inclusiveGateway', 'complexGateway']);

/** Returns whether a step is the loop around an activity, not an instance of the activity. */
export function isLoopBody({ type }: Pick<Step, 'type'>): boolean {
  return type === 'multiInstanceBody' || type === 'standardLoopBody';
}

/**
 * Finds the sequence flows that led to each step. The history does not record flows, so they are derived from the times
 * of the steps: a command that ends a step starts the next one at the same time, and a joining gateway starts after the
 * steps before it have ended.
 *
 * @returns sources by `stepId`; steps without an incoming flow (start and boundary events, loop instances) have none
 */
export function findSources(
  steps: readonly Step[],
  modelIndex: ModelIndex,
): ReadonlyMap<string, readonly StepSource[]> {
  const endedSteps = new EndedSteps(steps, modelIndex);
  const sources = new Map<string, StepSource[]>();
  for (const step of steps) {
    const element = modelIndex.elements.get(step.elementId);
    const flows = modelIndex.incoming.get(step.elementId) ?? [];
    if (flows.length === 0 || (element?.loop !== undefined && !isLoopBody(step))) continue;
    const isJoin = flows.length > 1 && JOINING_GATEWAYS.has(step.type);
    const stepSources: StepSource[] = [];
    for (const flow of flows) {
      const from = isJoin
        ? endedSteps.takeEndedBefore(flow, step.startedAt)
        : endedSteps.takeEndedAt(flow, step.startedAt);
      if (from !== undefined) stepSources.push({ flow, from });
      if (stepSources.length > 0 && !isJoin) break;
    }
    if (stepSources.length > 0) sources.set(step.stepId, stepSources);
  }
  return sources;
}

/** Counts how often each flow was taken, including tokens that still wait at a join. */
export function countTakenFlows(
  steps: readonly Step[],
  modelIndex: ModelIndex,
  sources: ReadonlyMap<string, readonly StepSource[]>,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const stepSources of sources.values())
    for (const { flow } of stepSources) counts.set(flow.id, (counts.get(flow.id) ?? 0) + 1);
  const completedCounts = new Map<string, number>();
  for (const step of steps)
    if (takesOutgoingFlows(step, modelIndex))
      completedCounts.set(step.elementId, (completedCounts.get(step.elementId) ?? 0) + 1);
  for (const flows of modelIndex.incoming.values()) {
    if (flows.length < 2 || !JOINING_GATEWAYS.has(modelIndex.elements.get(flows[0]?.target ?? '')?.type ?? ''))
      continue;
    for (const { id, source } of flows) {
      const completedCount = completedCounts.get(source) ?? 0;
      if (modelIndex.outgoing.get(source)?.length === 1 && completedCount > (counts.get(id) ?? 0))
        counts.set(id, completedCount);
    }
  }
  return counts;
}

/** Returns whether the step completed and took the outgoing flows of its element; an instance in a loop takes none. */
function takesOutgoingFlows(step: Step, modelIndex: ModelIndex): boolean {
  return (
    step.status === 'completed' && (modelIndex.elements.get(step.elementId)?.loop === undefined || isLoopBody(step))
  );
}

/** Completed steps that took their outgoing flows. Each flow can use each step as its source once. */
class EndedSteps {
  private readonly byElement = new Map<string, Step[]>();
  private readonly byElementAndTime = new Map<string, Step[]>();
  private readonly nextIndexes = new Map<string, number>();

  constructor(steps: readonly Step[], modelIndex: ModelIndex) {
    for (const step of steps) {
      if (!takesOutgoingFlows(step, modelIndex)) continue;
      appendTo(this.byElement, step.elementId, step);
      appendTo(this.byElementAndTime, `${step.elementId} ${step.completedAt}`, step);
    }
  }

  takeEndedAt({ id, source }: IndexedFlow, time: string): Step | undefined {
    return this.take(`${id} ${time}`, this.byElementAndTime.get(`${source} ${time}`));
  }

  takeEndedBefore({ id, source }: IndexedFlow, time: string): Step | undefined {
    const completedAt = this.byElement.get(source)?.[this.nextIndexes.get(id) ?? 0]?.completedAt ?? null;
    // All times have one format (RFC 3339, UTC, ms), so they sort as strings.
    return completedAt !== null && completedAt <= time ? this.take(id, this.byElement.get(source)) : undefined;
  }

  private take(key: string, candidates: readonly Step[] | undefined): Step | undefined {
    const index = this.nextIndexes.get(key) ?? 0;
    const step = candidates?.[index];
    if (step !== undefined) this.nextIndexes.set(key, index + 1);
    return step;
  }
}

function appendTo(map: Map<string, Step[]>, key: string, step: Step): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [step]);
  else list.push(step);
}
