import type { Run, RunDetail, Step, WaitingFor } from '@countersign/contract';

const START = Date.parse('2026-11-22T10:00:00.000Z');

/** Returns the time `ms` milliseconds after the start of the run. */
export function timeAfterStart(ms: number): string {
  return new Date(START + ms).toISOString();
}

/** Creates a step that completed at its start time; by default its id is the id of the element. */
export function createStep(elementId: string, overrides: Partial<Step> = {}): Step {
  const { startedAt = timeAfterStart(0) } = overrides;
  return {
    stepId: elementId,
    elementId,
    name: null,
    type: 'serviceTask',
    status: 'completed',
    attempt: 1,
    iteration: 1,
    enteredSeq: 1,
    startedAt,
    completedAt: (overrides.status ?? 'completed') === 'completed' ? startedAt : null,
    agentName: null,
    calledRunId: null,
    output: null,
    error: null,
    policyDecision: null,
    ...overrides,
  };
}

/** Creates an active run, updated a minute after its start. */
export function createRun(overrides: Partial<RunDetail> = {}): RunDetail {
  const run: Run = {
    runId: 'run-1',
    engine: 'embedded',
    workflowId: 'order',
    workflowVersion: 1,
    workflowDigest: `sha256:${'0'.repeat(64)}`,
    status: 'active',
    outcome: null,
    cancelling: false,
    currentStep: null,
    pendingApprovals: 0,
    pendingQuestions: 0,
    incidents: 0,
    waitingFor: [],
    riskLevel: 'low',
    startedAt: timeAfterStart(0),
    startedBy: 'vera',
    updatedAt: timeAfterStart(60_000),
    completedAt: null,
    businessKey: null,
    parentRunId: null,
    error: null,
    recoverable: false,
  };
  return { ...run, inputs: {}, variables: {}, steps: [], artifacts: [], ...overrides };
}

/** Creates a wait of the step with the same id as the element. */
export function createWait(elementId: string, overrides: Partial<WaitingFor> & Pick<WaitingFor, 'kind'>): WaitingFor {
  const waitDefaults = {
    event: { messageName: null, correlationKey: null, signalName: null, childRunId: null },
    approval: { approvalId: 'approval-1', dueAt: null },
    question: { questionId: 'question-1', dueAt: null },
    timer: { dueAt: timeAfterStart(0) },
  }[overrides.kind];
  return {
    stepId: elementId,
    elementId,
    name: null,
    since: timeAfterStart(0),
    ...waitDefaults,
    ...overrides,
  } as WaitingFor;
}
