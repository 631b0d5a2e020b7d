import type { AgentUsage } from './agent.js';
import type { Json, JsonObject } from './json.js';

/**
 * What a run records of an agent: the type of the event, its `data` (structure, hashed as it stands) and its `private` part
 * (texts, arguments, contents: hashed as a salted commitment). All of them name the step.
 *
 * - `agent.turn`: the model has answered.
 * - `agent.response_discarded`: the model has answered, and nothing could be made of it; what it has used counts.
 * - `agent.call.requested`: a call was decided on; again when it is asked again (`round`), or somebody edited it.
 * - `agent.call.dispatched`: a worker makes it now; with the digest that was approved, where somebody was asked.
 * - `agent.call.completed`: what the model is told that came of it.
 * - `agent.call.refused`: it was not made, and what the model is told about that.
 * - `agent.call.changed`: its tool, or the policy, was not what it had been when the call was decided on; it is decided again.
 * - `agent.call.lost`: nobody knows whether it was made.
 * - `agent.repair`: the model is asked once to mend its answer.
 * - `agent.budget_exhausted`, `agent.budget_extended`
 * - `question.asked`, `question.answered`, `question.expired`, `question.withdrawn`
 */
export interface AgentEvents {
  readonly 'agent.turn': {
    readonly data: {
      readonly turn: number;
      readonly agent: string;
      readonly definitionDigest: string;
      readonly provider: string;
      readonly model: string;
      readonly requestDigest: string;
      readonly calls: readonly { readonly callId: string; readonly tool: string }[];
    } & AgentUsage;
    readonly private: {
      readonly text: string | null;
      readonly calls: readonly {
        readonly callId: string;
        readonly toolCallId: string;
        readonly tool: string;
        readonly arguments: JsonObject;
      }[];
      readonly opaque: Json;
    };
  };
  readonly 'agent.response_discarded': {
    readonly data: {
      readonly agent: string;
      readonly definitionDigest: string;
      readonly provider: string;
      readonly model: string;
      /** Of the failure. */
      readonly code: string;
    } & AgentUsage;
    readonly private: { readonly message: string };
  };
  readonly 'agent.call.requested': {
    readonly data: {
      readonly callId: string;
      readonly tool: string;
      readonly toolDigest: string;
      readonly effect: 'read' | 'write';
      readonly reversible: boolean;
      readonly taint: readonly string[];
      readonly round: number;
      /** As `step.started` has it. */
      readonly policyDecision: JsonObject;
      /** What the engine makes of the decision: a tainted write that is allowed needs a person all the same. */
      readonly needs: 'nothing' | 'approval' | 'answer' | 'refusal';
      readonly edited: boolean;
    };
    /**
     * `asked`: what else of the question to the policy nothing else tells (`step.started` has the same). `comment`: of the person
     * who has edited the call, for the model.
     */
    readonly private: {
      readonly arguments: JsonObject;
      readonly hosts: readonly string[];
      /** Defaults included. Absent where there are none, and in histories from before ADR 140. */
      readonly ports?: readonly number[];
      readonly asked?: JsonObject;
      readonly comment?: string;
    };
  };
  readonly 'agent.call.dispatched': {
    readonly data: {
      readonly callId: string;
      readonly tool: string;
      readonly approvalId: string | null;
      readonly approvedDigest: string | null;
    };
    readonly private: null;
  };
  readonly 'agent.call.completed': {
    readonly data: {
      readonly callId: string;
      readonly tool: string;
      readonly isError: boolean;
      readonly contentDigest: string;
      readonly taint: readonly string[];
    };
    readonly private: { readonly toolCallId: string; readonly content: Json };
  };
  readonly 'agent.call.refused': {
    readonly data: {
      readonly callId: string;
      readonly tool: string;
      readonly code: string;
      readonly approvalId: string | null;
    };
    readonly private: { readonly toolCallId: string; readonly content: Json };
  };
  readonly 'agent.call.changed': {
    readonly data: { readonly callId: string; readonly tool: string; readonly toolDigest: string };
    readonly private: null;
  };
  readonly 'agent.call.lost': {
    readonly data: { readonly callId: string; readonly tool: string; readonly questionId: string };
    readonly private: { readonly message: string };
  };
  readonly 'agent.repair': {
    readonly data: { readonly turn: number };
    readonly private: { readonly problems: readonly string[] };
  };
  readonly 'agent.budget_exhausted': {
    readonly data: {
      readonly limit: 'turns' | 'toolCalls' | 'tokens' | 'costMicros';
      readonly questionId: string | null;
    };
    readonly private: null;
  };
  readonly 'agent.budget_extended': { readonly data: { readonly extensions: number }; readonly private: null };
  readonly 'question.asked': {
    readonly data: {
      readonly questionId: string;
      readonly purpose: string;
      readonly callId: string | null;
      readonly dueAt: string | null;
    };
    readonly private: {
      readonly text: string;
      readonly options: readonly string[] | null;
      readonly answerSchema: JsonObject | null;
    };
  };
  readonly 'question.answered': {
    readonly data: { readonly questionId: string; readonly purpose: string; readonly callId: string | null };
    readonly private: { readonly actor: JsonObject; readonly answer: Json };
  };
  readonly 'question.expired': {
    readonly data: { readonly questionId: string; readonly purpose: string; readonly callId: string | null };
    readonly private: null;
  };
  readonly 'question.withdrawn': {
    readonly data: { readonly questionId: string; readonly reason: string };
    readonly private: null;
  };
}
