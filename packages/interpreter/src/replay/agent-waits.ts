import {
  AGENT_JOB_TYPE,
  type ApprovalWait,
  type ElementInstance,
  type JobWait,
  type Json,
  type PendingApproval,
  type QuestionWait,
  type RunState,
  type Wait,
  type WorkflowGraph,
} from '@countersign/model';
import type { RecordedEvent } from './recorded-event.js';

/**
 * The waits of agent steps, by step: active calls, approvals and questions.
 *
 * An agent's turns do not change its run until the last turn returns the result of the step. So a replay only tracks
 * the waits of the turns and calls. It does not execute them, because this would require budgets and tool data that the
 * history does not contain.
 */
export type AgentWaits = ReadonlyMap<string, readonly Wait[]>;

/** Returns whether an event records an action of an agent and not the outcome of its step. */
export function isAgentActionEvent({ type, elementId }: RecordedEvent, graph: WorkflowGraph): boolean {
  if (type.startsWith('agent.') || type.startsWith('question.')) return true;
  return type.startsWith('approval.') && elementId !== null && graph.nodes.get(elementId)?.kind === 'jobTask';
}

/** Returns whether an event records the failure of an agent step. */
export function isAgentStepFailure({ type, elementId }: RecordedEvent, graph: WorkflowGraph): boolean {
  const node = type === 'step.failed' && elementId !== null ? graph.nodes.get(elementId) : undefined;
  return node?.kind === 'jobTask' && 'literal' in node.jobType && node.jobType.literal === AGENT_JOB_TYPE;
}

/** Returns the waits after a further event. */
export function withAgentEvent(waits: AgentWaits, { type, stepId, at, data }: RecordedEvent): AgentWaits {
  if (stepId === null) return waits;
  const before = waits.get(stepId) ?? [];
  const after = applyEvent(before, type, at, data);
  if (after === before) return waits;
  const updatedWaits = new Map(waits);
  if (after.length === 0) updatedWaits.delete(stepId);
  else updatedWaits.set(stepId, after);
  return updatedWaits;
}

function applyEvent(
  before: readonly Wait[],
  type: string,
  at: number,
  data: Readonly<Record<string, Json>>,
): readonly Wait[] {
  const { callId = null, approvalId, questionId } = data;
  switch (type) {
    case 'agent.turn':
      return [];
    case 'agent.call.dispatched':
      return [...before, buildCallWait(toText(callId))];
    case 'step.failed':
    case 'error.thrown':
      return callId === null ? before : before.filter((wait) => getCallId(wait) !== callId);
    // A call that is reassessed has no job, approval or question open.
    case 'agent.call.requested':
    case 'agent.call.completed':
    case 'agent.call.refused':
    case 'agent.call.changed':
    case 'agent.call.lost':
      return before.filter((wait) => getCallId(wait) !== callId);
    case 'approval.requested':
      return [...before, buildApprovalWait(data, at)];
    case 'approval.resolved':
    case 'approval.withdrawn':
    case 'approval.expired':
      return before.filter((wait) => wait.kind !== 'approval' || wait.approval.approvalId !== approvalId);
    case 'question.asked':
      return [...before, buildQuestionWait(data, at)];
    case 'question.answered':
    case 'question.expired':
    case 'question.withdrawn':
      return before.filter((wait) => wait.kind !== 'question' || wait.question.questionId !== questionId);
    default:
      return before;
  }
}

/** Returns the state for display: a step whose agent waits for calls or people does not wait for its next turn. */
export function withAgentWaits(state: RunState, agents: AgentWaits): RunState {
  return mapWaits(state, agents, (waits, agentWaits) => [
    ...waits.filter((wait) => wait.kind !== 'job' && wait !== PLACEHOLDER_QUESTION),
    ...agentWaits,
  ]);
}

const PLACEHOLDER_QUESTION: QuestionWait = Object.freeze(buildQuestionWait({ questionId: '', purpose: 'ask' }, 0));

const PLACEHOLDER_CALL: JobWait = Object.freeze(buildCallWait(''));

/** Returns the state for a migration, which depends on whether an agent has a job or waits for people. */
export function withPendingRequests(state: RunState, agents: AgentWaits): RunState {
  return mapWaits(state, agents, (waits, agentWaits) => {
    if (!agentWaits.some((wait) => wait.kind === 'job'))
      return waits.map((wait) => (wait.kind === 'job' ? PLACEHOLDER_QUESTION : wait));
    return waits.some((wait) => wait.kind === 'job') ? waits : [...waits, PLACEHOLDER_CALL];
  });
}

/**
 * Returns the state after a migration, in which agent steps wait for their next turn again unless another job was
 * offered.
 */
export function withTurnJobs(state: RunState, before: RunState, agents: AgentWaits): RunState {
  return mapWaits(state, agents, (waits, _agentWaits, { key }) =>
    waits.flatMap((wait) =>
      wait === PLACEHOLDER_CALL
        ? []
        : wait === PLACEHOLDER_QUESTION
          ? (before.instances[key]?.waits ?? []).filter(({ kind }) => kind === 'job')
          : [wait],
    ),
  );
}

function mapWaits(
  state: RunState,
  agents: AgentWaits,
  change: (waits: readonly Wait[], agentWaits: readonly Wait[], instance: ElementInstance) => readonly Wait[],
): RunState {
  if (agents.size === 0) return state;
  const instances: Record<string, ElementInstance> = { ...state.instances };
  for (const instance of Object.values(state.instances)) {
    const agentWaits = agents.get(instance.stepId);
    if (agentWaits !== undefined)
      instances[instance.key] = { ...instance, waits: change(instance.waits ?? [], agentWaits, instance) };
  }
  return { ...state, instances };
}

function getCallId(wait: Wait): string | null | undefined {
  if (wait.kind === 'question') return wait.question.callId;
  return wait.kind === 'job' || wait.kind === 'approval' ? wait.callId : undefined;
}

function buildCallWait(callId: string): JobWait {
  return { kind: 'job', jobId: '', jobType: 'agent.call', retries: 1, callId };
}

function buildApprovalWait(
  { approvalId, callId, round, dueAt, digest, riskLevel, quorum, signatureRequired }: Readonly<Record<string, Json>>,
  at: number,
): ApprovalWait {
  const approval: PendingApproval = {
    approvalId: toText(approvalId),
    title: '',
    description: null,
    round: Number(round),
    previousApprovalId: null,
    requestedAt: at,
    dueAt: toTimestamp(dueAt),
    candidateUsers: [],
    candidateGroups: [],
    delegations: [],
    quorum: Number(quorum),
    priority: 50,
    separationOfDuties: 'on',
    riskLevel: riskLevel as PendingApproval['riskLevel'],
    riskFactors: [],
    rationale: '',
    votes: [],
    digest: toText(digest),
    requireSignature: signatureRequired === true,
  };
  return { kind: 'approval', approval, callId: toText(callId) };
}

function buildQuestionWait(
  { questionId, purpose, callId, dueAt }: Readonly<Record<string, Json>>,
  at: number,
): QuestionWait {
  const question = {
    questionId: toText(questionId),
    purpose: purpose as QuestionWait['question']['purpose'],
    callId: typeof callId === 'string' ? callId : null,
    text: '',
    options: null,
    answerSchema: null,
    askedAt: at,
    dueAt: toTimestamp(dueAt),
    onDue: { kind: 'incident' },
  } as const;
  return { kind: 'question', question };
}

function toTimestamp(value: Json | undefined): number | null {
  return typeof value === 'string' ? Date.parse(value) : null;
}

function toText(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
