import type { JsonObject, RunOutcome, RunStatus } from '@countersign/model';
import type { RunEventView } from './run-event-view.js';
import type { WaitingForView } from './run-view.js';
import type { StepView } from './step-view.js';

export type TokenView = {
  elementId: string;
  stepId: string | null;
  flowId: string | null;
  kind: 'active' | 'waiting' | 'failed';
  count: number;
};

export type StateGapView = {
  seq: number;
  code: 'erased' | 'not_recorded' | 'version_missing' | 'differs' | 'too_long';
  message: string;
};

/** Run as it was just after one of its events. */
export type RunStateView = {
  runId: string;
  workflowId: string;
  workflowVersion: number;
  workflowDigest: string;
  at: number;
  time: string;
  lastSeq: number;
  event: RunEventView;
  status: RunStatus;
  outcome: RunOutcome | null;
  cancelling: boolean;
  currentStep: string | null;
  incidents: number;
  error: { code: string; message: string; elementId: string | null } | null;
  waitingFor: WaitingForView[] | null;
  variables: JsonObject | null;
  steps: StepView[];
  tokens: TokenView[];
  takenFlows: { flowId: string; count: number }[] | null;
  gap: StateGapView | null;
};
