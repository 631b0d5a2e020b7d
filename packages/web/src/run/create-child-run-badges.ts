import type { Step } from '@countersign/contract';
import type { DiagramBadge } from '@countersign/inbox-ui/diagram/diagram-view';
import { texts } from '../texts/index.js';

const t = texts.run.children;

/** Creates the badges that link each call activity to its child run, or to the list of child runs if it has several. */
export function createChildRunBadges(runId: string, steps: readonly Step[]): readonly DiagramBadge[] {
  const childRunIds = new Map<string, string[]>();
  for (const { elementId, calledRunId } of steps)
    if (calledRunId !== null) childRunIds.set(elementId, [...(childRunIds.get(elementId) ?? []), calledRunId]);
  return [...childRunIds].map(([elementId, [first, ...others]]) => ({
    elementId,
    position: 'top-left',
    text: '↗',
    className: 'cs-note cs-leads',
    title: others.length === 0 ? t.open : t.several(others.length + 1),
    linkTo: others.length === 0 ? `/runs/${first}` : `/runs/${runId}?tab=children`,
  }));
}
