import type { AgentUsage } from './agent.js';
import type { Json, JsonObject } from './json.js';

/** The events of agent steps, part of `RunEventMap`. Each event has the id of the step. */
export interface AgentEvents {
  readonly 'agent.turn': {
    readonly data: {
      readonly turn: number;
      readonly agent: string;
      readonly definitionDigest: string;
      readonly provider: string;
      readonly model: string;
      /** SHA-256 of the request to the language model. */
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
      /** Data of the provider that must be sent back in the next turn. */
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
      /** Sources of untrusted data that the agent had read. */
      readonly taint: readonly string[];
      readonly round: number;
      /** As in `step.started`. */
      readonly policyDecision: JsonObject;
      /**
       * The next step that the engine requires after the policy decision. A tainted write needs an approval even if the
       * policy allows it.
       */
      readonly needs: 'nothing' | 'approval' | 'answer' | 'refusal';
      /** Whether a person has edited the arguments. */
      readonly edited: boolean;
    };
    readonly private: {
      readonly arguments: JsonObject;
      readonly hosts: readonly string[];
      /** Ports, defaults included. Undefined if there are none, and in histories from before ADR 140. */
      readonly ports?: readonly number[];
      /** The parts of the policy request that are recorded nowhere else. */
      readonly asked?: JsonObject;
      /** The comment for the language model by the person who edited the call. */
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
