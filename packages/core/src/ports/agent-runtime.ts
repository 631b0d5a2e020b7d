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
 * Runs agent steps: requests turns from the language model, and makes the calls that the engine allows. It keeps no
 * state of its own; the history of the run contains everything. The engine records the results and decides how the step
 * continues: which calls are made, which approvals and questions are opened, and whether the budget is sufficient.
 * Therefore, a step can wait for days and continue on any server.
 */
export interface AgentRuntimePort {
  /**
   * Requests the next turn from the language model, given the history of the step.
   *
   * @throws {RetryableFailure | TerminalFailure} if there is no completion to record
   */
  runTurn(job: AgentTurnJob): Promise<AgentTurn>;
  /**
   * Returns the origins that receive the prompts of an agent step, for the policy: as `URL.origin` gives them (RFC
   * 6454), or `host` or `host:port` if the scheme is not known. Synchronous and without side effects. An exception
   * denies the step.
   */
  hosts?(task: Pick<AgentTurnJob, 'headers' | 'state'>): readonly string[];
  /** Makes a call that is allowed or approved. @throws {RetryableFailure} if the call was certainly not made */
  executeCall(job: AgentCallJob): Promise<CallOutcome>;
  /** Validates edited arguments. @throws {ApiError} `validation_failed`, with `errors` that point to `/arguments…` */
  proposeCall(call: AgentCall, edited: JsonObject): ProposedCall | Promise<ProposedCall>;
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
  /** The variables that the step sees, after its input mappings. */
  readonly variables: JsonObject;
  readonly inputs: JsonObject;
  /** Sources of taint by variable name. */
  readonly taints: Readonly<Record<string, readonly string[]>>;
  readonly toolConstraints: ToolConstraints | null;
  readonly artifacts: RunArtifacts;
  /** Aborted when the step is cancelled, the lease is lost, or the server stops. */
  readonly signal: AbortSignal;
}

export interface AgentTurnJob extends AgentJob {
  /** `null` before the first turn. */
  readonly state: AgentState | null;
  /** The events of this step so far, in order: turns, results and answers. */
  loadHistory(): Promise<readonly RunEvent[]>;
  /** Receives discarded responses of the language model before the turn fails; they are recorded with its failure. */
  reportDiscarded(response: DiscardedResponse): void;
}

export interface AgentCallJob extends AgentJob {
  readonly state: AgentState;
  readonly call: AgentCall;
  /** Whether an earlier attempt may have made this call without reporting the outcome. */
  readonly isRedelivered: boolean;
}

export type CallOutcome =
  | { readonly kind: 'result'; readonly result: CallResult }
  /** The tool or the policy has changed since the call was decided. */
  | { readonly kind: 'changed'; readonly call: ProposedCall }
  /** The outcome is unknown. Another attempt may determine it; its job has `isRedelivered` set. */
  | { readonly kind: 'open'; readonly code: string; readonly message: string; readonly retryAfterMs?: number }
  /** The outcome is unknown, and the call must not be repeated. */
  | { readonly kind: 'unknown'; readonly message: string };

/** The transcript of a step, built from its events (`buildTranscript`). */
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
      /** The source of the result, for the language model. */
      readonly source: string;
      /** If a person edited the call: the edited arguments (`null` if they were erased) and the comment. */
      readonly edited?: { readonly arguments: JsonObject | null; readonly comment: string | null };
    }
  | { readonly kind: 'repair'; readonly problems: readonly string[] };
