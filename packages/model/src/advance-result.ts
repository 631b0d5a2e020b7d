import type { QuestionChange, QuestionRecord } from './agent.js';
import type { ChildReport } from './commands.js';
import type { Destination } from './destination.js';
import type { ErrorCode } from './error-codes.js';
import type { Json, JsonObject } from './json.js';
import type { Taints } from './taint.js';
import type { PolicyFunction, ToolConstraints } from './policy.js';
import type { RecordedActor } from './principal.js';
import type { RunEventType } from './run-event-definitions.js';
import type { RunErasure } from './run-erasure.js';
import type {
  ApprovalStatus,
  ApprovalSubject,
  ElementInstance,
  ParentRun,
  PendingApproval,
  RunState,
} from './run-state.js';
import type { EvaluationScope, JobTask, WorkflowGraph } from './workflow-graph.js';

/** All inputs of `advance()` besides the graph, the state and the command, such as the time and the policy. */
export interface AdvanceContext {
  /** Milliseconds since the epoch. The caller ensures that it is never before the run's last command. */
  readonly now: number;
  readonly policy: PolicyFunction;
  /** Returns the newest version of a DMN decision, the same throughout a command; `undefined` if none is deployed. */
  readonly decisions?: (decisionId: string) => DecisionDefinition | undefined;
  readonly settings: EngineSettings;
  /** Id of the person who deployed the version of the run. */
  readonly deployedBy?: string;
  /** Id of the person who deployed the version that the run migrates from; only for a migration. */
  readonly leftDeployedBy?: string;
  /** The version that a run migrates to; only for a migration. */
  readonly target?: WorkflowGraph;
  /** Jobs of the run that a worker has claimed; only for a migration. Undefined: all jobs. */
  readonly claimedJobs?: ReadonlySet<string>;
  /**
   * Set if the command halts: each token that it moves stops with an incident on its step, because the next state
   * cannot be stored. A recovery continues from there.
   */
  readonly halt?: Halt;
  /** Whether the command is replayed from the history, so it was accepted when it was recorded. */
  readonly isReplay?: true;
  /**
   * Replay only: returns whether the policy was evaluated for an event that a worker executes. Before ADR 138 it was
   * not.
   */
  readonly wasPolicyEvaluated?: (elementId: string) => boolean;
  /** Replay only: returns the recorded id of a child run. Older histories derived these ids differently. */
  readonly recordedChildRunId?: (elementId: string) => string | undefined;
  /** Observes the execution of the command. It cannot influence the result. */
  readonly observer?: AdvanceObserver;
  /** Returns whether the connector of a job type reads from or writes to other systems; `undefined` if unknown. */
  readonly resolveEffect?: (jobType: string) => 'read' | 'write' | undefined;
  /**
   * Returns the hosts and ports that the work of a task contacts; `undefined` if unknown. If it throws, the step is
   * denied.
   */
  readonly resolveDestination?: (task: PolicyTask) => Destination | undefined;
}

/** A task for which the policy is evaluated. */
export interface PolicyTask {
  readonly jobType: string;
  readonly node: JobTask;
  /** The instance, including the variables that the input mappings created. */
  readonly instance: ElementInstance;
}

/** Code and message of the incidents that a halting command raises. */
export interface Halt {
  readonly code: string;
  readonly message: string;
}

/** Observes a command while it is executed. */
export interface AdvanceObserver {
  /**
   * Called for each emitted event with the current state. An observer that stores the state must copy it, including its
   * instances.
   */
  onEventEmitted(state: RunState): void;
  /** Called when a token takes a sequence flow. */
  onFlowTaken(flowId: string): void;
}

/** A deployed DMN decision, compiled. */
export interface DecisionDefinition {
  readonly decisionId: string;
  readonly version: number;
  /** `sha256:<hex>` of the DMN bytes. */
  readonly digest: string;
  /** Id of the person who deployed it; `undefined` in replays of histories that do not record it. */
  readonly deployedBy?: string;
  evaluate(scope: EvaluationScope): DmnDecisionEvaluation;
}

/**
 * The evaluation of a DMN decision: its output or the failure. `trail` records how it was evaluated
 * (`evaluatedDecisions`).
 */
export type DmnDecisionEvaluation = { readonly trail: JsonObject } & (
  | {
      readonly output: Json;
      /** Ids of the rules of this DMN decision (not of required DMN decisions) that produced the output. */
      readonly matchedRules: readonly string[];
    }
  /** The code starts with `feel_` or `dmn_`. */
  | { readonly failure: { readonly code: string; readonly message: string } }
);

/** Engine settings that affect commands. */
export interface EngineSettings {
  /** `Approvals:SeparationOfDuties`: people who started the run or edited the subject may not vote. */
  readonly separationOfDuties: boolean;
  /**
   * `Approvals:ExcludeDeployers`: people who deployed a workflow version or a DMN decision that the run used may not
   * vote either.
   */
  readonly excludeDeployers: boolean;
  /** `Approvals:RequireDigest`: a vote must contain the digest of the subject. */
  readonly requireDigest: boolean;
  /** Backoff before the second attempt of a job in ms; doubled for each further attempt. */
  readonly retryBackoffMs: number;
  readonly retryBackoffMaxMs: number;
}

export interface AdvanceResult {
  readonly state: RunState;
  /** New events, in order; appended to the run's history. */
  readonly events: readonly RunEventDraft[];
  /** Side effects that the engine must carry out. */
  readonly requests: readonly EngineRequest[];
  /** The approval that the command concerned, after the command. */
  readonly approval: ApprovalRecord | null;
  /** The question that the command concerned, after the command. */
  readonly question?: QuestionRecord;
  /**
   * The reason for the refusal of the command; `null` if the command was accepted. A refused command may still emit
   * events, for example when an approval whose subject has changed is requested again.
   */
  readonly refusal: Refusal | null;
}

export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: JsonObject;
}

/** A run event before it is chained. */
export interface RunEventDraft {
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly type: RunEventType;
  readonly stepId: string | null;
  readonly elementId: string | null;
  /** Structure: ids, codes, digests, decisions. Hashed unchanged. */
  readonly data: JsonObject;
  /** Free text, persons and payloads: hashed as a salted commitment, so that it can be erased later. */
  readonly private: (JsonObject & { actor?: Json }) | null;
}

export type EngineRequest =
  | { readonly type: 'job.offer'; readonly job: JobOffer }
  | { readonly type: 'job.reschedule'; readonly jobId: string; readonly dueAt: number; readonly attempt: number }
  /** `ifUnclaimed`: applies only while no worker has claimed the job; otherwise the command is executed again. */
  | { readonly type: 'job.withdraw'; readonly jobId: string; readonly ifUnclaimed?: true }
  | { readonly type: 'approval.open'; readonly approval: ApprovalRecord }
  | { readonly type: 'approval.change'; readonly change: ApprovalChange }
  /** People who may not vote on a pending approval, updated after more people contributed to its data. */
  | {
      readonly type: 'approval.exclude';
      readonly approvalId: string;
      readonly excluded: Readonly<Record<string, string>>;
    }
  | { readonly type: 'question.open'; readonly question: QuestionRecord }
  | { readonly type: 'question.change'; readonly change: QuestionChange }
  | { readonly type: 'subscription.open'; readonly subscription: SubscriptionRecord }
  | { readonly type: 'subscription.close'; readonly subscriptionId: string }
  | { readonly type: 'signal.open'; readonly subscription: SignalSubscriptionRecord }
  | { readonly type: 'signal.close'; readonly subscriptionId: string }
  | { readonly type: 'send'; readonly message: OutgoingMessage }
  | { readonly type: 'timer.arm'; readonly timerId: string; readonly stepId: string; readonly dueAt: number }
  | { readonly type: 'timer.disarm'; readonly timerId: string }
  | { readonly type: 'artifact.put'; readonly artifact: ArtifactRecord }
  /**
   * A person voted in place of an absent approver. The absence must still be in force when the vote is written;
   * otherwise the command is executed again.
   */
  | { readonly type: 'absence.rely'; readonly absenceId: string }
  | { readonly type: 'personal_data.erase'; readonly erasure: RunErasure };

export interface JobOffer {
  readonly jobId: string;
  readonly stepId: string;
  readonly elementId: string;
  readonly jobType: string;
  readonly attempt: number;
  readonly toolConstraints: ToolConstraints | null;
  /** The agent's call that this job executes. */
  readonly callId?: string;
}

export interface SubscriptionRecord {
  readonly subscriptionId: string;
  readonly stepId: string;
  readonly elementId: string;
  readonly messageName: string;
  readonly correlationKey: string;
  readonly since: number;
}

export interface SignalSubscriptionRecord {
  readonly subscriptionId: string;
  readonly stepId: string;
  readonly elementId: string;
  readonly signalName: string;
  readonly since: number;
}

/**
 * A message from a run to other runs. It is stored with the command that sends it and delivered afterwards, at least
 * once; it takes effect only once.
 */
export type OutgoingMessage = { readonly messageId: string } &
  /** For all runs except the sending run, which has already received it. */
  (
    | {
        readonly kind: 'signal';
        readonly signalName: string;
        readonly payload: JsonObject;
        readonly taints?: Taints;
        readonly contributors?: readonly string[];
      }
    | {
        readonly kind: 'message';
        readonly messageName: string;
        readonly correlationKey: string;
        readonly payload: JsonObject;
        readonly contributors?: readonly string[];
      }
    | ChildStart
    | { readonly kind: 'child.cancel'; readonly childRunId: string; readonly reason: string }
    | {
        readonly kind: 'parent.report';
        readonly parentRunId: string;
        readonly childRunId: string;
        readonly report: ChildReport;
      }
    | ContributorsMessage
  );

/** People who contributed to the data of a run, reported to its child runs and to its parent run. */
export interface ContributorsMessage {
  readonly kind: 'contributors';
  readonly childRunId: string;
  /** Id of the receiving run: the child run or its parent run. */
  readonly toRunId: string;
  readonly rootRunId: string;
  /** Ids of the contributors. */
  readonly contributors: readonly string[];
}

export interface ChildStart {
  readonly kind: 'child.start';
  readonly childRunId: string;
  readonly workflowId: string;
  /**
   * `latest`, a version number, or the digest of the file that was deployed together with the calling workflow (binding
   * `deployment`).
   */
  readonly binding: 'latest' | number | { readonly digest: string };
  readonly inputs: JsonObject;
  readonly inputTaints?: Taints;
  /** Ids of the people who contributed to the inputs. */
  readonly contributors?: readonly string[];
  readonly parent: ParentRun;
  readonly businessKey: string | null;
}

/** An approval as it is stored and displayed. */
export interface ApprovalRecord extends Omit<PendingApproval, 'subjectNames'> {
  readonly runId: string;
  readonly workflowId: string;
  readonly workflowVersion: number;
  readonly stepId: string;
  readonly elementId: string;
  /** Business key of the run. Undefined in approvals of earlier versions. */
  readonly businessKey?: string | null;
  readonly requestedBy: string;
  readonly status: ApprovalStatus;
  readonly resolvedAt: number | null;
  readonly resolvedBy: RecordedActor | null;
  /**
   * Ids of the people who may not vote, and the reasons (`started_run`, `edited_subject`, `deployed_model`,
   * `assigned_self`, `decided_before`).
   */
  readonly excluded: Readonly<Record<string, string>>;
  readonly subject: ApprovalSubject;
}

/** The fields of an approval that change after it was opened. */
export type ApprovalChange = Pick<
  ApprovalRecord,
  'approvalId' | 'status' | 'resolvedAt' | 'resolvedBy' | 'candidateUsers' | 'candidateGroups' | 'delegations' | 'votes'
>;

export interface ArtifactRecord {
  readonly artifactId: string;
  readonly name: string;
  readonly version: number;
  readonly size: number;
  readonly sha256: string;
  readonly contentType: string;
  readonly createdAt: number;
  readonly createdBy: string;
}
