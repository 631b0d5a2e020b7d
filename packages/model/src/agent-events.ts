import type { AgentUsage } from './agent.js';
import type { Json, JsonObject } from './json.js';

/**
 * The agent events of a run: the event type, its `data` (structure, hashed unchanged) and its `private` part (texts,
 * arguments, contents: hashed as a salted commitment). Each event has the id of the step.
 *
 * - `agent.turn`: the language model has responded.
 * - `agent.response_discarded`: the model has responded, but the response was unusable; its usage still counts.
 * - `agent.call.requested`: a call was assessed; recorded again when its approval is requested again (`round`) or when
 * a person has edited it.
 * - `agent.call.dispatched`: a job that executes the call was created; includes the approved digest if the call was
 * approved.
 * - `agent.call.completed`: the result of the call, as the model receives it.
 * - `agent.call.refused`: the call was not executed; includes the message for the model.
 * - `agent.call.changed`: the call's tool or the policy has changed since the call was assessed; it is assessed again.
 * - `agent.call.lost`: it is unknown whether the call was executed.
 * - `agent.repair`: the model is asked once to correct its output.
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
      /** Code of the failure. */
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
      /** As in `step.started`. */
      readonly policyDecision: JsonObject;
      /**
       * The next step that the engine requires after the policy decision. A tainted write needs an approval even if the
       * policy allows it.
       */
      readonly needs: 'nothing' | 'approval' | 'answer' | 'refusal';
      readonly edited: boolean;
    };
    /**
     * `asked`: the parts of the policy request that are recorded nowhere else, as in `step.started`. `comment`: the
     * comment for the model by the person who edited the call.
     */
    readonly private: {
      readonly arguments: JsonObject;
      readonly hosts: readonly string[];
      /** Ports, defaults included. Undefined if there are none, and in histories from before ADR 140. */
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
