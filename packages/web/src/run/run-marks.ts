import type { Step, StepStatus, WaitingFor } from '@countersign/contract';
import type { DiagramBadge } from '@countersign/inbox-ui/diagram/diagram-view';
import { formatDuration } from '@countersign/inbox-ui/time/format-time';
import { texts } from '../texts/index.js';
import type { ModelIndex } from './model-index.js';
import { countTaken, isLoopBody, type StepSource } from './steps/step-sources.js';

export interface RunMarks {
  /** CSS classes by element id. */
  readonly marks: ReadonlyMap<string, string>;
  readonly badges: readonly DiagramBadge[];
}

interface Marked {
  readonly steps: readonly Step[];
  readonly waitingFor: readonly WaitingFor[];
  /** Flows and loops are not marked while the model is being read (`undefined`). */
  readonly map: ModelIndex | undefined;
  readonly sources: ReadonlyMap<string, readonly StepSource[]> | undefined;
  /** Number of times each flow was taken, if the server reports it. */
  readonly takenFlows?: readonly { readonly flowId: string; readonly count: number }[] | null | undefined;
}

/** Counts of an element so far. */
interface Tally {
  entered: number;
  active: number;
  waiting: number;
  failed: number;
  completed: number;
  cancelled: number;
  /** Total of completed steps, in ms. */
  totalMs: number;
  lastMs: number | undefined;
  /** Status of the loop around the element, if any. */
  loop: StepStatus | undefined;
}

const MAX_COUNT = 999;
/** Shorter durations are not shown: gateways and events take no time. */
const WORTH_TELLING_MS = 1;

/**
 * Returns the marks and badges of a run for the diagram: the current position, what is done, failed or waiting, how
 * often, and how long it took.
 */
export function markRun({ steps, waitingFor, map, sources, takenFlows }: Marked): RunMarks {
  const tallies = tally(steps);
  // An event attached to an activity waits without a separate step.
  const attached = new Set(
    waitingFor.filter(({ elementId }) => !tallies.has(elementId)).map(({ elementId }) => elementId),
  );
  const marks = new Map<string, string>();
  const badges: DiagramBadge[] = [];
  for (const [elementId, each] of tallies) {
    marks.set(elementId, statusClass(each));
    badges.push(...badgesOf(elementId, each, map?.elements.get(elementId)?.compensates ?? false));
  }
  for (const elementId of attached) if (map?.elements.has(elementId) === true) marks.set(elementId, 'cs-waiting');
  for (const [flowId, count] of flowsTaken(steps, map, sources, takenFlows))
    if (count > 0) marks.set(flowId, 'cs-taken');
  return { marks, badges };
}

function flowsTaken(
  steps: readonly Step[],
  map: ModelIndex | undefined,
  sources: Marked['sources'],
  takenFlows: Marked['takenFlows'],
): ReadonlyMap<string, number> {
  if (takenFlows !== undefined && takenFlows !== null)
    return new Map(takenFlows.map(({ flowId, count }) => [flowId, count]));
  return map === undefined || sources === undefined ? new Map() : countTaken(steps, map, sources);
}

function tally(steps: readonly Step[]): ReadonlyMap<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const step of steps) {
    const known = tallies.get(step.elementId);
    const each = known ?? {
      entered: 0,
      active: 0,
      waiting: 0,
      failed: 0,
      completed: 0,
      cancelled: 0,
      totalMs: 0,
      lastMs: undefined,
      loop: undefined,
    };
    if (known === undefined) tallies.set(step.elementId, each);
    if (isLoopBody(step)) {
      each.loop = step.status;
      // Its loop instances give more detail, but not whether the loop itself failed.
      if (step.status === 'failed') each.failed++;
      continue;
    }
    each.entered++;
    each[step.status]++;
    if (step.status !== 'completed' || step.completedAt === null) continue;
    each.lastMs = Date.parse(step.completedAt) - Date.parse(step.startedAt);
    each.totalMs += each.lastMs;
  }
  return tallies;
}

function statusClass({ failed, waiting, active, completed, loop }: Tally): string {
  if (failed > 0) return 'cs-failed';
  if (waiting > 0) return 'cs-waiting';
  if (active > 0 || loop === 'active') return 'cs-active';
  return completed > 0 || loop === 'completed' ? 'cs-done' : 'cs-cancelled';
}

function badgesOf(elementId: string, each: Tally, compensates: boolean): DiagramBadge[] {
  const badges: DiagramBadge[] = [];
  const { entered, completed, loop, lastMs, totalMs } = each;
  const standing = (['failed', 'waiting', 'active'] as const).filter((status) => each[status] > 0);
  const [first] = standing;
  if (first !== undefined) {
    const words = standing
      .map((status) => texts.run.marks.tokens(each[status], texts.stepStatus[status].toLowerCase()))
      .join(', ');
    badges.push({
      elementId,
      position: 'bottom-left',
      text: number(standing.reduce((sum, status) => sum + each[status], 0)),
      className: `cs-token cs-${first}`,
      title: words,
    });
  }
  if (compensates)
    badges.push({
      elementId,
      position: 'top-left',
      text: texts.run.marks.undone,
      className: 'cs-note',
      title: texts.run.marks.undoneHint(completed),
    });
  if (loop !== undefined && entered > 0)
    badges.push({
      elementId,
      position: 'top-right',
      text: texts.run.marks.turns(completed, entered),
      className: 'cs-note',
      title: texts.run.marks.turnsHint(completed, entered),
    });
  else if (entered > 1)
    badges.push({
      elementId,
      position: 'top-right',
      text: `×${number(entered)}`,
      className: 'cs-note',
      title: texts.run.marks.entered(entered),
    });
  if (lastMs !== undefined && totalMs >= WORTH_TELLING_MS) {
    badges.push({
      elementId,
      position: 'bottom-right',
      text: formatDuration(lastMs),
      className: 'cs-time',
      title:
        completed > 1
          ? texts.run.marks.took(formatDuration(lastMs), formatDuration(totalMs), completed)
          : texts.run.marks.tookOnce(formatDuration(lastMs)),
    });
  }
  return badges;
}

function number(n: number): string {
  return n > MAX_COUNT ? `${MAX_COUNT}+` : String(n);
}
