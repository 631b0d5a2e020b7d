import type { PolicyDecisionRecord } from '../../ports/records.js';
import { toTimestamp } from './to-json-response.js';
import type { PolicyDecisionView } from './step-view.js';

/** Policy decision about a step or an agent's call. */
export type RecordedDecisionView = {
  runId: string;
  workflowId: string;
  seq: number;
  stepId: string;
  elementId: string;
  callId: string | null;
  tool: string | null;
  agentName: string | null;
  decision: PolicyDecisionView;
};

export function toRecordedDecisionView({ at, decision, ...record }: PolicyDecisionRecord): RecordedDecisionView {
  return { ...record, decision: { ...(decision as unknown as PolicyDecisionView), decidedAt: toTimestamp(at) } };
}
