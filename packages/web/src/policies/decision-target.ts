import type { RecordedDecision } from '@countersign/contract';
import { texts } from '../texts/index.js';

const { list: t } = texts.policies;

/** Returns the path of the run page with a step open. */
export function getStepPath({ runId, stepId }: { readonly runId: string; readonly stepId: string }): string {
  return `/runs/${runId}?step=${encodeURIComponent(stepId)}`;
}

/** Returns a short description of the step or tool call that a policy decision applies to. */
export function describeDecisionTarget({
  elementId,
  tool,
  agentName,
}: Pick<RecordedDecision, 'elementId' | 'tool' | 'agentName'>): string {
  return tool === null ? elementId : t.call(agentName ?? t.unknownAgent, tool);
}
