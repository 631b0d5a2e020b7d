import type { RecordedDecision } from '@countersign/contract';
import { texts } from '../texts/index.js';

const { list: t } = texts.policies;

/** Where a step of a run is shown. */
export function stepAddress({ runId, stepId }: { readonly runId: string; readonly stepId: string }): string {
  return `/runs/${runId}?step=${encodeURIComponent(stepId)}`;
}

/** What a decision is about, in a few words. */
export function subjectOf({
  elementId,
  tool,
  agentName,
}: Pick<RecordedDecision, 'elementId' | 'tool' | 'agentName'>): string {
  return tool === null ? elementId : t.call(agentName ?? t.unknownAgent, tool);
}
