import { isJsonObject, type Json, type JsonObject, type RunEvent } from '@countersign/model';
import { toTimestamp } from './to-json-response.js';
import type { PolicyDecisionView } from './step-view.js';

export type AgentCallStatus =
  | 'proposed'
  | 'waits_for_approval'
  | 'waits_for_answer'
  | 'dispatched'
  | 'completed'
  | 'refused'
  | 'outcome_unknown'
  | 'cancelled';

export type AgentCallView = {
  callId: string;
  tool: string;
  toolDigest: string | null;
  arguments: JsonObject | null;
  effect: 'read' | 'write' | null;
  reversible: boolean | null;
  hosts: string[];
  taint: string[];
  policyDecision: PolicyDecisionView | null;
  status: AgentCallStatus;
  approvalId: string | null;
  questionId: string | null;
  editedBy: string | null;
  result: Json;
  isError: boolean | null;
  requestedAt: string;
  completedAt: string | null;
};

const WAITING_STATUSES: Readonly<Record<string, AgentCallStatus>> = {
  approval: 'waits_for_approval',
  answer: 'waits_for_answer',
};

/** Creates a call as proposed by the language model, before any policy decision. */
export function createCallView(
  callId: string,
  tool: string,
  proposedArguments: Json,
  requestedAt: string,
): AgentCallView {
  return {
    callId,
    tool,
    toolDigest: null,
    arguments: isJsonObject(proposedArguments) ? proposedArguments : null,
    effect: null,
    reversible: null,
    hosts: [],
    taint: [],
    policyDecision: null,
    status: 'proposed',
    approvalId: null,
    questionId: null,
    editedBy: null,
    result: null,
    isError: null,
    requestedAt,
    completedAt: null,
  };
}

/** Applies a further event of a call. */
export function applyCallEvent(
  call: AgentCallView,
  { at, type, data, private: privateData }: Pick<RunEvent, 'at' | 'type' | 'data' | 'private'>,
): void {
  switch (type) {
    case 'agent.call.requested':
      Object.assign(call, toCallDetails(at, data, privateData));
      return;
    case 'agent.call.dispatched':
      call.status = 'dispatched';
      call.approvalId = stringOr(data['approvalId'], call.approvalId);
      return;
    case 'agent.call.completed':
      Object.assign(call, {
        status: 'completed',
        result: privateData?.['content'] ?? null,
        isError: data['isError'] === true,
        completedAt: toTimestamp(at),
      });
      return;
    case 'agent.call.refused':
      Object.assign(call, {
        status: 'refused',
        result: privateData?.['content'] ?? null,
        isError: true,
        completedAt: toTimestamp(at),
      });
      call.approvalId = stringOr(data['approvalId'], call.approvalId);
      return;
    case 'agent.call.lost':
      call.status = 'outcome_unknown';
      call.questionId = stringOr(data['questionId'], call.questionId);
      return;
    case 'question.asked':
      call.questionId = stringOr(data['questionId'], call.questionId);
      return;
  }
}

function toCallDetails(at: number, data: JsonObject, privateData: RunEvent['private']): Partial<AgentCallView> {
  const { toolDigest, effect, reversible, taint, policyDecision, needs } = data;
  const { arguments: finalArguments, hosts } = privateData ?? {};
  return {
    toolDigest: stringOr(toolDigest, null),
    // If the event was erased, the arguments from the turn are removed too.
    arguments: isJsonObject(finalArguments) ? finalArguments : null,
    effect: effect === 'read' || effect === 'write' ? effect : null,
    reversible: typeof reversible === 'boolean' ? reversible : null,
    hosts: toStrings(hosts),
    taint: toStrings(taint),
    policyDecision: isJsonObject(policyDecision)
      ? ({ ...policyDecision, decidedAt: toTimestamp(at) } as unknown as PolicyDecisionView)
      : null,
    status: WAITING_STATUSES[String(needs)] ?? 'proposed',
  };
}

function stringOr<T extends string | null>(value: Json | undefined, fallback: T): string | T {
  return typeof value === 'string' ? value : fallback;
}

function toStrings(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
