import { isRunEvent, type RiskLevel, type RunOutcome, type RunStatus, type WaitingFor } from '@countersign/model';
import type { CommandOutcome } from '../../ports/engine.js';
import type { RunRecord } from '../../ports/records.js';
import { toTimestamp, toTimestampOrNull } from './to-json-response.js';

type WaitBase = { stepId: string; elementId: string; name: string | null; since: string };

export type WaitingForView =
  | (WaitBase & { kind: 'approval'; approvalId: string; dueAt: string | null })
  | (WaitBase & { kind: 'question'; questionId: string; dueAt: string | null })
  | (WaitBase & {
      kind: 'event';
      messageName: string | null;
      correlationKey: string | null;
      signalName: string | null;
      childRunId: string | null;
    })
  | (WaitBase & { kind: 'timer'; dueAt: string });

/** Run as shown in lists. */
export type RunView = {
  runId: string;
  engine: string;
  workflowId: string;
  workflowVersion: number;
  workflowDigest: string;
  status: RunStatus;
  outcome: RunOutcome | null;
  cancelling: boolean;
  currentStep: string | null;
  pendingApprovals: number;
  pendingQuestions: number;
  incidents: number;
  waitingFor: WaitingForView[];
  riskLevel: RiskLevel;
  startedAt: string;
  startedBy: string;
  updatedAt: string;
  completedAt: string | null;
  businessKey: string | null;
  parentRunId: string | null;
  error: { code: string; message: string; elementId: string | null } | null;
  recoverable: boolean;
};

export function toRunView(run: RunRecord): RunView {
  return {
    runId: run.runId,
    engine: run.engine,
    workflowId: run.workflowId,
    workflowVersion: run.workflowVersion,
    workflowDigest: run.workflowDigest,
    status: run.status,
    outcome: run.outcome,
    cancelling: run.cancelling,
    currentStep: run.currentStep,
    pendingApprovals: run.pendingApprovals,
    pendingQuestions: run.pendingQuestions,
    incidents: run.incidents,
    waitingFor: run.waitingFor.map(toWaitingForView),
    riskLevel: run.riskLevel,
    startedAt: toTimestamp(run.startedAt),
    startedBy: run.startedBy,
    updatedAt: toTimestamp(run.updatedAt),
    completedAt: toTimestampOrNull(run.completedAt),
    businessKey: run.businessKey,
    parentRunId: run.parentRunId,
    error: run.error === null ? null : { ...run.error },
    recoverable: run.incidents > 0,
  };
}

/**
 * Builds the view of a run after a command. If the command requested a child run that has not started yet, the status
 * is `active` instead of `blocked`, as in a later read.
 */
export function toRunViewAfterCommand({ run, events }: Pick<CommandOutcome, 'run' | 'events'>): RunView {
  const requestedChildIds = new Set(
    events.flatMap((event) => (isRunEvent(event, 'child.requested') ? [event.data.childRunId] : [])),
  );
  const isStartingChildRun =
    run.outcome === null &&
    run.waitingFor.some(({ childRunId }) => childRunId !== undefined && requestedChildIds.has(childRunId));
  return toRunView(isStartingChildRun ? { ...run, status: 'active' } : run);
}

export function toWaitingForView(wait: WaitingFor): WaitingForView {
  const base: WaitBase = {
    stepId: wait.stepId,
    elementId: wait.elementId,
    name: wait.name,
    since: toTimestamp(wait.since),
  };
  const dueAt = toTimestampOrNull(wait.dueAt ?? null);
  switch (wait.kind) {
    case 'approval':
      return { kind: 'approval', ...base, approvalId: wait.approvalId ?? '', dueAt };
    case 'question':
      return { kind: 'question', ...base, questionId: wait.questionId ?? '', dueAt };
    case 'event':
      return {
        kind: 'event',
        ...base,
        messageName: wait.messageName ?? null,
        correlationKey: wait.correlationKey ?? null,
        signalName: wait.signalName ?? null,
        childRunId: wait.childRunId ?? null,
      };
    case 'timer':
      return { kind: 'timer', ...base, dueAt: dueAt ?? base.since };
  }
}
