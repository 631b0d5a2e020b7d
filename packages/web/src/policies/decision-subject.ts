import type { RecordedDecision } from '@countersign/contract';
import { texts } from '../texts/index.js';

const { list: t } = texts.policies;

/** Returns the address of a step of a run. */
export function stepAddress({ runId, stepId }: { readonly runId: string; readonly stepId: string }): string {
  return `/runs/${runId}?step=${encodeURIComponent(stepId)}`;
}

/** Returns a short description of what a policy decision is about. */
export function describeDecisionSubject({
  elementId,
  tool,
  agentName,
}: Pick<RecordedDecision, 'elementId' | 'tool' | 'agentName'>): string {
  return tool === null ? elementId : t.call(agentName ?? t.unknownAgent, tool);
}
