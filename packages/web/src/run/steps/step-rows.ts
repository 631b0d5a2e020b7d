import type { Step } from '@countersign/contract';

export type StepFilter = 'all' | 'failed' | 'waiting';

/** Row of the tree of steps. */
export interface StepRow {
  readonly step: Step;
  readonly label: string;
  /** From 1, as `aria-level`. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  /** `undefined` if the row has no children. */
  readonly expanded: boolean | undefined;
  readonly parent: string | undefined;
}

interface StepRowOptions {
  readonly steps: readonly Step[];
  /** `stepId` of the outer step by `stepId`. */
  readonly scopes: ReadonlyMap<string, string>;
  readonly collapsed: ReadonlySet<string>;
  readonly filter: StepFilter;
  /** Part of a name, an element id or an agent name. */
  readonly search: string;
}

/**
 * Returns the rows to show: the steps in the order of entry, each inside its outer step. Outer steps of a match are
 * included.
 */
export function buildStepRows({ steps, scopes, collapsed, filter, search }: StepRowOptions): readonly StepRow[] {
  const visibleSteps = findVisibleSteps(steps, scopes, filter, search.trim().toLowerCase());
  const children = new Map<string | undefined, Step[]>();
  for (const step of steps) {
    if (visibleSteps !== undefined && !visibleSteps.has(step.stepId)) continue;
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
      const expanded = hasChildren ? visibleSteps !== undefined || !collapsed.has(step.stepId) : undefined;
      rows.push({
        step,
        label: elementLabel(step),
        level,
        position: index + 1,
        siblings: list.length,
        expanded,
        parent: parentStepId,
      });
      if (expanded === true) addRows(step.stepId, level + 1);
    });
  };
  addRows(undefined, 1);
  return rows;
}

export function elementLabel({ name, elementId }: Pick<Step, 'name' | 'elementId'>): string {
  return name ?? elementId;
}

/** `undefined` means all steps. */
function findVisibleSteps(
  steps: readonly Step[],
  scopes: ReadonlyMap<string, string>,
  filter: StepFilter,
  search: string,
): ReadonlySet<string> | undefined {
  if (filter === 'all' && search === '') return undefined;
  const found = new Set<string>();
  for (const step of steps) {
    if (filter !== 'all' && step.status !== filter) continue;
    if (
      search !== '' &&
      ![step.name, step.elementId, step.agentName].some((text) => text?.toLowerCase().includes(search) === true)
    )
      continue;
    let stepId: string | undefined = step.stepId;
    while (stepId !== undefined && !found.has(stepId)) {
      found.add(stepId);
      stepId = scopes.get(stepId);
    }
  }
  return found;
}

/** Returns the position of a step in the time range of the run, as fractions of 1. An open step ends with the range. */
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
 * Returns the next row, starting at the given ones, whose label has a prefix (ARIA tree pattern, type-ahead), or -1.
 */
export function findByPrefix(rows: readonly StepRow[], startIndex: number, prefix: string): number {
  const lowerCasePrefix = prefix.toLowerCase();
  for (let offset = 0; offset < rows.length; offset++) {
    const index = (startIndex + offset) % rows.length;
    if (rows[index]?.label.toLowerCase().startsWith(lowerCasePrefix) === true) return index;
  }
  return -1;
}
