import {
  type ElementInstance,
  maxRisk,
  type RiskLevel,
  type RunError,
  type RunProjection,
  type RunState,
  type RunStatus,
  type WaitingFor,
  type WorkflowGraph,
} from '@countersign/model';
import { isOwnWait } from './steps.js';

/** Derives the run's status, waits, risk and error from its state. */
export function projectRun(graph: WorkflowGraph, state: RunState): RunProjection {
  const steps = Object.values(state.instances).filter((instance) => instance.key !== state.root);
  const waitingFor = Object.values(state.instances)
    .flatMap((step) => collectWaits(graph, step))
    .sort((a, b) => a.since - b.since);
  const failedSteps = steps.filter((step) => step.incident !== undefined);
  const oldestStep = steps.reduce<ElementInstance | undefined>(
    (oldest, step) => (oldest === undefined || step.enteredSeq < oldest.enteredSeq ? step : oldest),
    undefined,
  );
  return {
    status: deriveStatus(state, steps),
    cancelling: state.cancelling === true && state.outcome === null,
    currentStep: oldestStep?.elementId ?? null,
    pendingApprovals: waitingFor.filter((wait) => wait.kind === 'approval').length,
    pendingQuestions: waitingFor.filter((wait) => wait.kind === 'question').length,
    incidents: failedSteps.length,
    waitingFor,
    riskLevel: state.risks.reduce<RiskLevel>((highest, risk) => maxRisk(highest, risk.level), 'low'),
    error: state.error ?? deriveError(failedSteps),
  };
}

function deriveStatus(state: RunState, steps: readonly ElementInstance[]): RunStatus {
  if (state.outcome !== null) return state.outcome === 'completed' ? 'completed' : 'failed';
  if (steps.some((step) => step.waits?.some((wait) => wait.kind === 'job'))) return 'active';
  if (state.cancelling === true) return steps.some((step) => step.incident !== undefined) ? 'failed' : 'active';
  if (steps.some((step) => step.waits?.some((wait) => isOwnWait(step, wait)))) return 'blocked';
  if (steps.some((step) => step.incident !== undefined)) return 'failed';
  // An attached event blocks the run only if nothing else is active. A run whose tokens only wait at joins is active
  // and reported as stuck, because the BPMN model declares no pause.
  return Object.values(state.instances).some((step) => (step.waits ?? []).length > 0) ? 'blocked' : 'active';
}

function deriveError(failedSteps: readonly ElementInstance[]): RunError | null {
  const [first] = [...failedSteps].sort((a, b) => a.enteredSeq - b.enteredSeq);
  if (first?.incident === undefined) return null;
  return { code: first.incident.code, message: first.incident.message, elementId: first.elementId };
}

function collectWaits(graph: WorkflowGraph, step: ElementInstance): WaitingFor[] {
  const found: WaitingFor[] = [];
  for (const wait of step.waits ?? []) {
    const elementId = 'elementId' in wait ? wait.elementId : step.elementId;
    const base = { stepId: step.stepId, elementId, name: graph.nodes.get(elementId)?.name ?? null };
    if (wait.kind === 'approval') {
      const { approvalId, requestedAt, dueAt } = wait.approval;
      found.push({ kind: 'approval', ...base, since: requestedAt, approvalId, ...(dueAt === null ? {} : { dueAt }) });
    } else if (wait.kind === 'question') {
      const { questionId, askedAt, dueAt } = wait.question;
      found.push({ kind: 'question', ...base, since: askedAt, questionId, ...(dueAt === null ? {} : { dueAt }) });
    } else if (wait.kind === 'message') {
      const { messageName, correlationKey, since } = wait;
      found.push({ kind: 'event', ...base, since, messageName, correlationKey });
    } else if (wait.kind === 'signal') {
      found.push({ kind: 'event', ...base, since: wait.since, signalName: wait.signalName });
    } else if (wait.kind === 'condition') {
      found.push({ kind: 'event', ...base, since: wait.since });
    } else if (wait.kind === 'child') {
      found.push({ kind: 'event', ...base, since: step.enteredAt, childRunId: wait.childRunId });
    } else if (wait.kind === 'timer' && wait.purpose === 'event') {
      found.push({ kind: 'timer', ...base, since: wait.since, dueAt: wait.dueAt });
    }
  }
  return found;
}
