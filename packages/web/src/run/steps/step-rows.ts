import type { Step } from '@countersign/contract';

export type StepFilter = 'all' | 'failed' | 'waiting';

/** Row of the tree of steps. */
export interface StepRow {
  readonly step: Step;
  readonly label: string;
  /** Depth in the tree, from 1 (`aria-level`). */
  readonly level: number;
  readonly position: number;
  readonly siblingCount: number;
  /** Whether the children are shown; `undefined` if the row has none. */
  readonly expanded: boolean | undefined;
  readonly parentStepId: string | undefined;
}

interface StepRowOptions {
  readonly steps: readonly Step[];
  /** `stepId` of the outer step by `stepId`. */
  readonly scopes: ReadonlyMap<string, string>;
  readonly collapsed: ReadonlySet<string>;
  readonly filter: StepFilter;
  /** Search text: part of the name, the element id or the agent name of a step. */
  readonly search: string;
}

/**
 * Builds the rows to show: the steps in the order in which they started, each below its outer step. The outer steps of
 * matching steps are included.
 */
export function buildStepRows({ steps, scopes, collapsed, filter, search }: StepRowOptions): readonly StepRow[] {
  const visibleStepIds = findVisibleStepIds(steps, scopes, filter, search.trim().toLowerCase());
  const children = new Map<string | undefined, Step[]>();
  for (const step of steps) {
    if (visibleStepIds !== undefined && !visibleStepIds.has(step.stepId)) continue;
    const outerStepId = scopes.get(step.stepId);
    const list = children.get(outerStepId);
    if (list === undefined) children.set(outerStepId, [step]);
    else list.push(step);
  }
  const rows: StepRow[] = [];
  const addRows = (parentStepId: string | undefined, level: number): void => {
    const list = children.get(parentStepId) ?? [];
    list.forEach((step, index) => {
      const hasChildren = children.has(step.stepId);
      // Search results are never collapsed.
      const expanded = hasChildren ? visibleStepIds !== undefined || !collapsed.has(step.stepId) : undefined;
      rows.push({
        step,
        label: getElementLabel(step),
        level,
        position: index + 1,
        siblingCount: list.length,
        expanded,
        parentStepId,
      });
      if (expanded === true) addRows(step.stepId, level + 1);
    });
  };
  addRows(undefined, 1);
  return rows;
}

export function getElementLabel({ name, elementId }: Pick<Step, 'name' | 'elementId'>): string {
  return name ?? elementId;
}

/** Returns the ids of the matching steps and of their outer steps, or `undefined` if nothing is filtered. */
function findVisibleStepIds(
  steps: readonly Step[],
  scopes: ReadonlyMap<string, string>,
  filter: StepFilter,
  search: string,
): ReadonlySet<string> | undefined {
  if (filter === 'all' && search === '') return undefined;
  const visibleStepIds = new Set<string>();
  for (const step of steps) {
    if (filter !== 'all' && step.status !== filter) continue;
    if (
      search !== '' &&
      ![step.name, step.elementId, step.agentName].some((text) => text?.toLowerCase().includes(search) === true)
    )
      continue;
    let stepId: string | undefined = step.stepId;
    while (stepId !== undefined && !visibleStepIds.has(stepId)) {
      visibleStepIds.add(stepId);
      stepId = scopes.get(stepId);
    }
  }
  return visibleStepIds;
}

/**
 * Returns the position of a step in the time range of the run, as fractions of 1. A step that has not ended extends to
 * `now`.
 */
export function computeSpan(
  step: Pick<Step, 'startedAt' | 'completedAt'>,
  range: { readonly from: number; readonly to: number },
  now: number,
): { readonly left: number; readonly width: number } {
  const length = Math.max(1, range.to - range.from);
  const from = Date.parse(step.startedAt);
  const to = step.completedAt === null ? Math.max(from, now) : Date.parse(step.completedAt);
  const left = Math.min(1, Math.max(0, (from - range.from) / length));
  return { left, width: Math.min(1 - left, Math.max(0, (to - from) / length)) };
}

/**
 * Returns the index of the next row, from `startIndex` on and then from the first row, whose label starts with a
 * prefix, or -1 (type-ahead of the ARIA tree pattern).
 */
export function findByPrefix(rows: readonly StepRow[], startIndex: number, prefix: string): number {
  const lowerCasePrefix = prefix.toLowerCase();
  for (let offset = 0; offset < rows.length; offset++) {
    const index = (startIndex + offset) % rows.length;
    if (rows[index]?.label.toLowerCase().startsWith(lowerCasePrefix) === true) return index;
  }
  return -1;
}
