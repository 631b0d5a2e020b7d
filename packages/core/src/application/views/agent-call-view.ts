import { isJsonObject, type Json, type JsonObject, type RunEvent } from '@countersign/model';
import { timestamp } from './as-response.js';
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

const WAITS_FOR: Readonly<Record<string, AgentCallStatus>> = {
  approval: 'waits_for_approval',
  answer: 'waits_for_answer',
};

/** Creates a call as proposed by the language model, before any policy decision. */
export function newCall(callId: string, tool: string, given: Json, requestedAt: string): AgentCallView {
  return {
    callId,
    tool,
    toolDigest: null,
    arguments: isJsonObject(given) ? given : null,
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
export function foldCall(
  call: AgentCallView,
  { at, type, data, private: privateData }: Pick<RunEvent, 'at' | 'type' | 'data' | 'private'>,
): void {
  switch (type) {
    case 'agent.call.requested':
      Object.assign(call, decidedOn(at, data, privateData));
      return;
    case 'agent.call.dispatched':
      call.status = 'dispatched';
      call.approvalId = textOr(data['approvalId'], call.approvalId);
      return;
    case 'agent.call.completed':
      Object.assign(call, {
        status: 'completed',
        result: privateData?.['content'] ?? null,
        isError: data['isError'] === true,
        completedAt: timestamp(at),
      });
      return;
    case 'agent.call.refused':
      Object.assign(call, {
        status: 'refused',
        result: privateData?.['content'] ?? null,
        isError: true,
        completedAt: timestamp(at),
      });
      call.approvalId = textOr(data['approvalId'], call.approvalId);
      return;
    case 'agent.call.lost':
      call.status = 'outcome_unknown';
      call.questionId = textOr(data['questionId'], call.questionId);
      return;
    case 'question.asked':
      call.questionId = textOr(data['questionId'], call.questionId);
      return;
  }
}

function decidedOn(at: number, data: JsonObject, privateData: RunEvent['private']): Partial<AgentCallView> {
  const { toolDigest, effect, reversible, taint, policyDecision, needs } = data;
  const { arguments: decided, hosts } = privateData ?? {};
  return {
    toolDigest: textOr(toolDigest, null),
    // If the event was erased, the arguments from the turn are removed too.
    arguments: isJsonObject(decided) ? decided : null,
    effect: effect === 'read' || effect === 'write' ? effect : null,
    reversible: typeof reversible === 'boolean' ? reversible : null,
    hosts: textsOf(hosts),
    taint: textsOf(taint),
    policyDecision: isJsonObject(policyDecision)
      ? ({ ...policyDecision, decidedAt: timestamp(at) } as unknown as PolicyDecisionView)
      : null,
    status: WAITS_FOR[String(needs)] ?? 'proposed',
  };
}

function textOr<T extends string | null>(value: Json | undefined, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
