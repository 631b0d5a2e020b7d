import type { Step } from '@countersign/contract';
import type { MappedFlow, ModelIndex } from '../model-index.js';

/** Origin of a step: the flow it was entered by, and the step that the flow came from. */
export interface StepSource {
  readonly flow: MappedFlow;
  readonly from: Step;
}

const JOINS: ReadonlySet<string> = new Set(['parallelGateway', 'inclusiveGateway', 'complexGateway']);

/** Returns whether a step is the loop around an activity rather than the activity. */
export function isLoopBody({ type }: Pick<Step, 'type'>): boolean {
  return type === 'multiInstanceBody' || type === 'standardLoopBody';
}

/**
 * Finds the flows that led to each step. The history does not record flows. But a command that ends a step enters the
 * next one at the same time, and a join is entered after the steps before it, so the times of the steps identify the
 * flows.
 *
 * @returns sources by `stepId`; steps without an incoming flow (start and boundary events, loop instances) have none
 */
export function findSources(steps: readonly Step[], map: ModelIndex): ReadonlyMap<string, readonly StepSource[]> {
  const ended = new Ends(steps, map);
  const sources = new Map<string, StepSource[]>();
  for (const step of steps) {
    const element = map.elements.get(step.elementId);
    const flows = map.incoming.get(step.elementId) ?? [];
    if (flows.length === 0 || (element?.loop !== undefined && !isLoopBody(step))) continue;
    const joins = flows.length > 1 && JOINS.has(step.type);
    const found: StepSource[] = [];
    for (const flow of flows) {
      const from = joins ? ended.takeBefore(flow, step.startedAt) : ended.takeAt(flow, step.startedAt);
      if (from !== undefined) found.push({ flow, from });
      if (found.length > 0 && !joins) break;
    }
    if (found.length > 0) sources.set(step.stepId, found);
  }
  return sources;
}

/** Counts how often each flow was taken, including tokens that still wait at a join. */
export function countTaken(
  steps: readonly Step[],
  map: ModelIndex,
  sources: ReadonlyMap<string, readonly StepSource[]>,
): ReadonlyMap<string, number> {
  const taken = new Map<string, number>();
  for (const found of sources.values()) for (const { flow } of found) taken.set(flow.id, (taken.get(flow.id) ?? 0) + 1);
  const completed = new Map<string, number>();
  for (const step of steps)
    if (leaves(step, map)) completed.set(step.elementId, (completed.get(step.elementId) ?? 0) + 1);
  for (const flows of map.incoming.values()) {
    if (flows.length < 2 || !JOINS.has(map.elements.get(flows[0]?.target ?? '')?.type ?? '')) continue;
    for (const { id, source } of flows) {
      const times = completed.get(source) ?? 0;
      if (map.outgoing.get(source)?.length === 1 && times > (taken.get(id) ?? 0)) taken.set(id, times);
    }
  }
  return taken;
}

/** Returns whether flows are taken when the step completes: a loop instance takes none. */
function leaves(step: Step, map: ModelIndex): boolean {
  return step.status === 'completed' && (map.elements.get(step.elementId)?.loop === undefined || isLoopBody(step));
}

/** Steps that ended, each usable once by each flow. */
class Ends {
  private readonly byElement = new Map<string, Step[]>();
  private readonly byMoment = new Map<string, Step[]>();
  private readonly taken = new Map<string, number>();

  constructor(steps: readonly Step[], map: ModelIndex) {
    for (const step of steps) {
      if (!leaves(step, map)) continue;
      add(this.byElement, step.elementId, step);
      add(this.byMoment, `${step.elementId} ${step.completedAt}`, step);
    }
  }

  takeAt({ id, source }: MappedFlow, moment: string): Step | undefined {
    return this.take(`${id} ${moment}`, this.byMoment.get(`${source} ${moment}`));
  }

  takeBefore({ id, source }: MappedFlow, moment: string): Step | undefined {
    const completedAt = this.byElement.get(source)?.[this.taken.get(id) ?? 0]?.completedAt ?? null;
    // All times have one format (RFC 3339, UTC, ms), so they sort as strings.
    return completedAt !== null && completedAt <= moment ? this.take(id, this.byElement.get(source)) : undefined;
  }

  private take(key: string, from: readonly Step[] | undefined): Step | undefined {
    const index = this.taken.get(key) ?? 0;
    const step = from?.[index];
    if (step !== undefined) this.taken.set(key, index + 1);
    return step;
  }
}

function add(map: Map<string, Step[]>, key: string, step: Step): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [step]);
  else list.push(step);
}
