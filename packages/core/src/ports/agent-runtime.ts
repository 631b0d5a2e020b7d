import type { ServiceIdentifier } from 'inversify';
import type {
  AgentCall,
  AgentState,
  AgentTurn,
  CallResult,
  DiscardedResponse,
  Json,
  JsonObject,
  ProposedCall,
  RunEvent,
  ToolConstraints,
} from '@countersign/model';
import type { RunArtifacts } from './run-artifacts.js';

/**
 * Performs the steps of agents: asks the model, and makes the calls that the engine lets it make. It holds nothing between
 * the two: what is recorded is in the run. What it gives is recorded by the engine, which decides what follows (which calls
 * are made, who is asked, whether the budget lasts); so a step may wait for days and go on at any server.
 */
export interface AgentRuntimePort {
  /**
   * Asks the model for the next turn, from the history of the step.
   *
   * @throws {RetryableFailure} or {TerminalFailure} where there is no answer to record
   */
  takeTurn(job: AgentTurnJob): Promise<AgentTurn>;
  /**
   * Where the step of an agent sends what its model is asked, for the policy: computed at once and without side effects. What
   * it throws denies the step.
   */
  hosts?(task: Pick<AgentTurnJob, 'headers' | 'state'>): readonly string[];
  /** Makes a call that is allowed or approved. @throws {RetryableFailure} it was surely not made */
  makeCall(job: AgentCallJob): Promise<CallOutcome>;
  /** Checks arguments as a person has changed them. @throws {ApiError} `validation_failed`, with `errors` that point to `/arguments…` */
  propose(call: AgentCall, edited: JsonObject): ProposedCall | Promise<ProposedCall>;
}

export const AgentRuntimePort: ServiceIdentifier<AgentRuntimePort> = Symbol.for('@countersign/core:AgentRuntimePort');

interface AgentJob {
  readonly jobId: string;
  readonly runId: string;
  readonly workflowId: string;
  readonly stepId: string;
  readonly elementId: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly headers: Readonly<Record<string, string>>;
  /** What the step sees, and what its input mappings made of that. */
  readonly variables: JsonObject;
  readonly inputs: JsonObject;
  /** Sources of taint of what the step sees, by the name of the variable. */
  readonly taints: Readonly<Record<string, readonly string[]>>;
  readonly toolConstraints: ToolConstraints | null;
  readonly artifacts: RunArtifacts;
  /** Aborted when the step is cancelled, the lease is lost, or the server stops. */
  readonly signal: AbortSignal;
}

export interface AgentTurnJob extends AgentJob {
  /** `null` in front of the first turn. */
  readonly state: AgentState | null;
  /** The events of this step so far, in their order: turns, results, answers. */
  history(): Promise<readonly RunEvent[]>;
  /** To be told of responses of the model that come to nothing, before the turn fails: they are recorded with its failure. */
  discarded(response: DiscardedResponse): void;
}

export interface AgentCallJob extends AgentJob {
  readonly state: AgentState;
  readonly call: AgentCall;
  /** Somebody may have begun on this call before and not come to report what became of it. */
  readonly isRedelivered: boolean;
}

export type CallOutcome =
  | { readonly kind: 'result'; readonly result: CallResult }
  /** The tool, or the policy, is not what it was when the call was decided on. */
  | { readonly kind: 'changed'; readonly call: ProposedCall }
  /** Nobody knows whether it was made; another attempt may find out, and is told that this one was begun. */
  | { readonly kind: 'open'; readonly code: string; readonly message: string; readonly retryAfterMs?: number }
  /** Nobody knows whether it was made, and it must not be made twice. */
  | { readonly kind: 'unknown'; readonly message: string };

/** The transcript of a step, as its events tell it (`agentTranscript`). */
export type TranscriptEntry =
  | {
      readonly kind: 'turn';
      readonly text: string | null;
      readonly calls: readonly {
        readonly callId: string;
        readonly toolCallId: string;
        readonly tool: string;
        readonly arguments: JsonObject;
      }[];
      readonly opaque: Json;
    }
  | {
      readonly kind: 'result';
      readonly callId: string;
      readonly toolCallId: string;
      readonly content: Json;
      readonly isError: boolean;
      /** Where it comes from, for the model. */
      readonly source: string;
      /** Where a person has changed the call: its arguments since then (`null`: erased), and what they say. */
      readonly edited?: { readonly arguments: JsonObject | null; readonly comment: string | null };
    }
  | { readonly kind: 'repair'; readonly problems: readonly string[] };
