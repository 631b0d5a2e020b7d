import {
  type AgentBudget,
  type AgentUsage,
  isJsonObject,
  type Json,
  type JsonObject,
  type RunEvent,
  addUsage,
} from '@countersign/model';
import type { ApprovalRecord } from '../../ports/records.js';
import { applyCallEvent, createCallView, type AgentCallView } from './agent-call-view.js';
import { toTimestamp } from './to-json-response.js';

export type AgentTurnView = {
  turn: number;
  at: string;
  text: string | null;
  requestDigest: string;
  provider: string;
  model: string;
  usage: AgentUsageView;
  calls: AgentCallView[];
};

export type AgentUsageView = {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  estimated: boolean;
  costMicros: number | null;
};

export type AgentBudgetView = { -readonly [K in keyof AgentBudget]: AgentBudget[K] };

/** Work of an agent in a step, built from its events. */
export type AgentStepWork = {
  agent: string;
  definitionDigest: string;
  provider: string;
  model: string;
  usage: AgentUsageView & { turns: number; toolCalls: number; discardedResponses: number };
  turns: AgentTurnView[];
};

/** Work of an agent as shown to readers: a page of turns. */
export type AgentWorkView = AgentStepWork & { budget: AgentBudgetView | null; nextCursor: string | null };

type SourceEvent = Pick<RunEvent, 'at' | 'type' | 'stepId' | 'data' | 'private'>;
type SourceApproval = Pick<ApprovalRecord, 'approvalId' | 'requestedAt' | 'subject'>;

/**
 * Builds the work of an agent in a step. Returns `undefined` before the first response of the language model. The usage
 * includes discarded responses.
 *
 * @param events the events of the step, oldest first; only `agent.…` and `question.…` events are used
 * @param approvals the approvals of the run
 * @param hasStepEnded whether the step has ended, so that unfinished calls are cancelled
 */
export function buildAgentStepWork(
  events: readonly SourceEvent[],
  approvals: readonly SourceApproval[],
  hasStepEnded: boolean,
): AgentStepWork | undefined {
  const turns: AgentTurnView[] = [];
  const calls = new Map<string, AgentCallView>();
  for (const event of events) {
    if (event.type === 'agent.turn') {
      const turn = toTurnView(event);
      for (const call of turn.calls) calls.set(call.callId, call);
      turns.push(turn);
      continue;
    }
    const call = calls.get(String(event.data['callId']));
    if (call !== undefined) applyCallEvent(call, event);
  }
  for (const { approvalId, subject } of [...approvals].sort(compareByRequestTime)) {
    const call = subject.kind === 'tool_call' ? calls.get(subject.callId) : undefined;
    if (call === undefined || subject.kind !== 'tool_call') continue;
    call.approvalId = approvalId;
    call.editedBy = subject.editedBy;
  }
  const allCalls = [...calls.values()];
  for (const call of allCalls) if (hasStepEnded && call.completedAt === null) call.status = 'cancelled';
  const responses = events.filter(({ type }) => type === 'agent.turn' || type === 'agent.response_discarded');
  // The definition that the step started with, or the newest one that it tried.
  const firstResponse = responses.find(({ type }) => type === 'agent.turn') ?? responses.at(-1);
  const lastResponseData = responses.findLast(({ type }) => type === firstResponse?.type)?.data;
  if (firstResponse === undefined || lastResponseData === undefined) return undefined;
  return {
    agent: String(firstResponse.data['agent']),
    definitionDigest: String(firstResponse.data['definitionDigest']),
    provider: String(lastResponseData['provider']),
    model: String(lastResponseData['model']),
    usage: {
      turns: turns.length,
      toolCalls: allCalls.length,
      discardedResponses: responses.length - turns.length,
      ...toUsageView(responses.map(({ data }) => data as unknown as AgentUsage).reduce(addUsage)),
    },
    turns,
  };
}

function compareByRequestTime(a: SourceApproval, b: SourceApproval): number {
  return a.requestedAt - b.requestedAt || (a.approvalId < b.approvalId ? -1 : 1);
}

function toTurnView({ at, data, private: privateData }: SourceEvent): AgentTurnView {
  const argumentsByCallId = new Map(
    toObjects(privateData?.['calls']).map((call) => [call['callId'], call['arguments']]),
  );
  const text = privateData?.['text'];
  return {
    turn: Number(data['turn']),
    at: toTimestamp(at),
    text: typeof text === 'string' ? text : null,
    requestDigest: String(data['requestDigest']),
    provider: String(data['provider']),
    model: String(data['model']),
    usage: toUsageView(data as unknown as AgentUsage),
    calls: toObjects(data['calls']).map(({ callId, tool }) =>
      createCallView(String(callId), String(tool), argumentsByCallId.get(callId ?? null) ?? null, toTimestamp(at)),
    ),
  };
}

function toUsageView({
  inputTokens,
  outputTokens,
  cacheReadTokens = 0,
  cacheWriteTokens = 0,
  estimated,
  costMicros,
}: AgentUsage): AgentUsageView {
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, estimated: estimated === true, costMicros };
}

function toObjects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
