import type { Step, StepStatus, WaitingFor } from '@countersign/contract';
import type { DiagramBadge } from '@countersign/inbox-ui/diagram/diagram-view';
import { formatDuration } from '@countersign/inbox-ui/time/format-time';
import { texts } from '../texts/index.js';
import type { ModelIndex } from './model-index.js';
import { countTakenFlows, isLoopBody, type StepSource } from './steps/step-sources.js';

export interface RunMarks {
  /** CSS classes by element id. */
  readonly marks: ReadonlyMap<string, string>;
  readonly badges: readonly DiagramBadge[];
}

interface RunMarksInput {
  readonly steps: readonly Step[];
  readonly waitingFor: readonly WaitingFor[];
  /**
   * `undefined` while the BPMN model is being read. Until then, waiting boundary events and compensations are not
   * marked, and sequence flows only if the server reports them.
   */
  readonly modelIndex: ModelIndex | undefined;
  readonly sources: ReadonlyMap<string, readonly StepSource[]> | undefined;
  /** Number of times each flow was taken, if the server reports it. */
  readonly takenFlows?: readonly { readonly flowId: string; readonly count: number }[] | null | undefined;
}

/** Counts and durations of the steps of an element. */
interface Tally {
  entered: number;
  active: number;
  waiting: number;
  failed: number;
  completed: number;
  cancelled: number;
  /** Total duration of the completed steps, in ms. */
  totalMs: number;
  lastMs: number | undefined;
  /** Status of the loop around the element, if any. */
  loop: StepStatus | undefined;
}

const MAX_COUNT = 999;
/** Minimum total duration that is shown: gateways and events take no time. */
const MIN_SHOWN_MS = 1;

/**
 * Returns the marks and badges of a run for the diagram: the status of each element, the number of its steps and their
 * durations, and the taken sequence flows.
 */
export function markRun({ steps, waitingFor, modelIndex, sources, takenFlows }: RunMarksInput): RunMarks {
  const tallies = tallySteps(steps);
  // A boundary event waits without a step.
  const waitingBoundaryIds = new Set(
    waitingFor.filter(({ elementId }) => !tallies.has(elementId)).map(({ elementId }) => elementId),
  );
  const marks = new Map<string, string>();
  const badges: DiagramBadge[] = [];
  for (const [elementId, elementTally] of tallies) {
    marks.set(elementId, getStatusClass(elementTally));
    badges.push(...createBadges(elementId, elementTally, modelIndex?.elements.get(elementId)?.compensates ?? false));
  }
  for (const elementId of waitingBoundaryIds)
    if (modelIndex?.elements.has(elementId) === true) marks.set(elementId, 'cs-waiting');
  for (const [flowId, count] of getTakenFlowCounts(steps, modelIndex, sources, takenFlows))
    if (count > 0) marks.set(flowId, 'cs-taken');
  return { marks, badges };
}

function getTakenFlowCounts(
  steps: readonly Step[],
  modelIndex: ModelIndex | undefined,
  sources: RunMarksInput['sources'],
  takenFlows: RunMarksInput['takenFlows'],
): ReadonlyMap<string, number> {
  if (takenFlows !== undefined && takenFlows !== null)
    return new Map(takenFlows.map(({ flowId, count }) => [flowId, count]));
  return modelIndex === undefined || sources === undefined ? new Map() : countTakenFlows(steps, modelIndex, sources);
}

function tallySteps(steps: readonly Step[]): ReadonlyMap<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const step of steps) {
    const existing = tallies.get(step.elementId);
    const elementTally = existing ?? {
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
    if (existing === undefined) tallies.set(step.elementId, elementTally);
    if (isLoopBody(step)) {
      elementTally.loop = step.status;
      // The instances in the loop are counted instead, but they do not show whether the loop itself failed.
      if (step.status === 'failed') elementTally.failed++;
      continue;
    }
    elementTally.entered++;
    elementTally[step.status]++;
    if (step.status !== 'completed' || step.completedAt === null) continue;
    elementTally.lastMs = Date.parse(step.completedAt) - Date.parse(step.startedAt);
    elementTally.totalMs += elementTally.lastMs;
  }
  return tallies;
}

function getStatusClass({ failed, waiting, active, completed, loop }: Tally): string {
  if (failed > 0) return 'cs-failed';
  if (waiting > 0) return 'cs-waiting';
  if (active > 0 || loop === 'active') return 'cs-active';
  return completed > 0 || loop === 'completed' ? 'cs-done' : 'cs-cancelled';
}

function createBadges(elementId: string, elementTally: Tally, compensates: boolean): DiagramBadge[] {
  const badges: DiagramBadge[] = [];
  const { entered, completed, loop, lastMs, totalMs } = elementTally;
  const openStatuses = (['failed', 'waiting', 'active'] as const).filter((status) => elementTally[status] > 0);
  const [first] = openStatuses;
  if (first !== undefined) {
    const statusText = openStatuses
      .map((status) => texts.run.marks.tokens(elementTally[status], texts.stepStatus[status].toLowerCase()))
      .join(', ');
    badges.push({
      elementId,
      position: 'bottom-left',
      text: formatCount(openStatuses.reduce((sum, status) => sum + elementTally[status], 0)),
      className: `cs-token cs-${first}`,
      title: statusText,
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
      text: texts.run.marks.loopInstances(completed, entered),
      className: 'cs-note',
      title: texts.run.marks.loopInstancesHint(completed, entered),
    });
  else if (entered > 1)
    badges.push({
      elementId,
      position: 'top-right',
      text: `×${formatCount(entered)}`,
      className: 'cs-note',
      title: texts.run.marks.entered(entered),
    });
  if (lastMs !== undefined && totalMs >= MIN_SHOWN_MS) {
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

function formatCount(n: number): string {
  return n > MAX_COUNT ? `${MAX_COUNT}+` : String(n);
}
