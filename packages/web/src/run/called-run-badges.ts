import type { Step } from '@countersign/contract';
import type { DiagramBadge } from '@countersign/inbox-ui/diagram/diagram-view';
import { texts } from '../texts/index.js';

const t = texts.run.children;

/** Returns the badges that link each call activity to the run it called, or to a list if it called several. */
export function calledRunBadges(runId: string, steps: readonly Step[]): readonly DiagramBadge[] {
  const calledRunIds = new Map<string, string[]>();
  for (const { elementId, calledRunId } of steps)
    if (calledRunId !== null) calledRunIds.set(elementId, [...(calledRunIds.get(elementId) ?? []), calledRunId]);
  return [...calledRunIds].map(([elementId, [first, ...others]]) => ({
    elementId,
    position: 'top-left',
    text: '↗',
    className: 'cs-note cs-leads',
    title: others.length === 0 ? t.open : t.several(others.length + 1),
    linkTo: others.length === 0 ? `/runs/${first}` : `/runs/${runId}?tab=children`,
  }));
}
