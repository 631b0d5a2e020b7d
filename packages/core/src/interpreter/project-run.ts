import { maxRisk, type RiskLevel } from '../domain/policy.js';
import type { RunProjection, WaitingFor } from '../domain/run-projection.js';
import type { ElementInstance, RunError, RunState, RunStatus } from '../domain/run-state.js';
import type { WorkflowGraph } from '../domain/workflow-graph.js';

/** Derives the run's status and waits from its state (interface decisions, "Run"). */
export function projectRun(graph: WorkflowGraph, state: RunState): RunProjection {
  const steps = Object.values(state.instances).filter((instance) => instance.key !== state.root);
  const waitingFor = steps.flatMap((step) => waitsOf(graph, step)).sort((a, b) => a.since - b.since);
  const failed = steps.filter((step) => step.incident !== undefined);
  const holder = steps.reduce<ElementInstance | undefined>(
    (oldest, step) => (oldest === undefined || step.enteredSeq < oldest.enteredSeq ? step : oldest),
    undefined,
  );
  return {
    status: statusOf(state, steps, waitingFor.length),
    currentStep: holder?.elementId ?? null,
    pendingApprovals: waitingFor.filter((wait) => wait.kind === 'approval').length,
    pendingQuestions: waitingFor.filter((wait) => wait.kind === 'question').length,
    incidents: failed.length,
    waitingFor,
    riskLevel: state.risks.reduce<RiskLevel>((highest, risk) => maxRisk(highest, risk.level), 'low'),
    error: state.error ?? errorOf(failed),
  };
}

function statusOf(state: RunState, steps: readonly ElementInstance[], waits: number): RunStatus {
  if (state.outcome !== null) return state.outcome === 'completed' ? 'completed' : 'failed';
  if (steps.some((step) => step.waits?.some((wait) => wait.kind === 'job'))) return 'active';
  if (waits > 0) return 'blocked';
  // Tokens that wait at joins for others that never come are no pause that the model declares: active, and found stuck.
  return steps.some((step) => step.incident !== undefined) ? 'failed' : 'active';
}

function errorOf(failed: readonly ElementInstance[]): RunError | null {
  const [first] = [...failed].sort((a, b) => a.enteredSeq - b.enteredSeq);
  if (first?.incident === undefined) return null;
  return { code: first.incident.code, message: first.incident.message, elementId: first.elementId };
}

function waitsOf(graph: WorkflowGraph, step: ElementInstance): WaitingFor[] {
  const base = { stepId: step.stepId, elementId: step.elementId, name: graph.nodes.get(step.elementId)?.name ?? null };
  const found: WaitingFor[] = [];
  for (const wait of step.waits ?? []) {
    if (wait.kind === 'approval') {
      const { approvalId, requestedAt, dueAt } = wait.approval;
      found.push({ kind: 'approval', ...base, since: requestedAt, approvalId, ...(dueAt === null ? {} : { dueAt }) });
    } else if (wait.kind === 'message') {
      const { messageName, correlationKey, since } = wait;
      found.push({ kind: 'event', ...base, since, messageName, correlationKey });
    } else if (wait.kind === 'timer' && wait.purpose === 'event') {
      found.push({ kind: 'timer', ...base, since: wait.since, dueAt: wait.dueAt });
    }
  }
  return found;
}
