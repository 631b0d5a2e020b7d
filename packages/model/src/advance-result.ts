import type { QuestionChange, QuestionRecord } from './agent.js';
import type { ChildReport } from './commands.js';
import type { Destination } from './destination.js';
import type { ErrorCode } from './error-codes.js';
import type { Json, JsonObject } from './json.js';
import type { Taints } from './taint.js';
import type { PolicyFunction, ToolConstraints } from './policy.js';
import type { RecordedActor } from './principal.js';
import type { RunEventType } from './run-event-map.js';
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

/** All that varies besides the command: the time, and what the policy says. */
export interface AdvanceContext {
  /** Milliseconds since the epoch. Never before the run's last command: the caller sees to that. */
  readonly now: number;
  readonly policy: PolicyFunction;
  /** The newest version of a DMN decision, the same throughout a command; `undefined` where none is deployed. */
  readonly decisions?: (decisionId: string) => DecisionDefinition | undefined;
  readonly settings: EngineSettings;
  /** Id of the person who deployed the version that the run is on. */
  readonly deployedBy?: string;
  /** Id of the person who deployed the version that a run leaves; for a migration only. */
  readonly leftDeployedBy?: string;
  /** The version that a run is moved to; for that command only. */
  readonly target?: WorkflowGraph;
  /** Jobs of the run that a worker has begun, for that command too. Where nothing is said, all of them. */
  readonly claimedJobs?: ReadonlySet<string>;
  /**
   * Set if the command halts: each token that it moves stops with an incident on its step, because the next state cannot be
   * stored. A recovery continues from there.
   */
  readonly halt?: Halt;
  /** The command is carried out again from the history, and was accepted when it was recorded. */
  readonly isReplay?: true;
  /** Whether the policy was asked about an event that a worker does, in a replay: before ADR 138 it was not. */
  readonly wasAsked?: (elementId: string) => boolean;
  /** The id that a called run was given, in a replay: histories of before have ids that are made otherwise. */
  readonly calledRunId?: (elementId: string) => string | undefined;
  /** Told of what happens on the way; it has no say in it. */
  readonly observer?: AdvanceObserver;
  /** What the connector of a job type does elsewhere; `undefined` where nobody says. */
  readonly effectOf?: (jobType: string) => 'read' | 'write' | undefined;
  /** Where the work of a task goes to; `undefined` where nobody says. What it throws denies the step. */
  readonly destinationOf?: (task: TaskAtHand) => Destination | undefined;
}

/** A task as the policy is asked about it. */
export interface TaskAtHand {
  readonly jobType: string;
  readonly node: JobTask;
  /** With what the input mappings made. */
  readonly instance: ElementInstance;
}

/** Code and message of the incidents that a halting command raises. */
export interface Halt {
  readonly code: string;
  readonly message: string;
}

/** Looks on while a command is carried out. */
export interface AdvanceObserver {
  /** An event came to be. The state is as it is at this moment: whoever keeps it has to copy it, instances included. */
  emitted(state: RunState): void;
  /** A token goes along a sequence flow. */
  took(flowId: string): void;
}

/** A deployed DMN decision, compiled. */
export interface DecisionDefinition {
  readonly decisionId: string;
  readonly version: number;
  /** `sha256:<hex>` of the DMN bytes. */
  readonly digest: string;
  /** Id of whoever deployed it; `undefined` in replays of histories that do not tell. */
  readonly deployedBy?: string;
  evaluate(scope: EvaluationScope): DecisionOutcome;
}

/** The result of a decision or why it has none, and with either how it came about (`evaluatedDecisions`). */
export type DecisionOutcome = { readonly trail: JsonObject } & (
  | {
      readonly output: Json;
      /** Ids of the rules of the decision itself that made the output. */
      readonly matchedRules: readonly string[];
    }
  /** The code begins with `feel_` or `dmn_`. */
  | { readonly failure: { readonly code: string; readonly message: string } }
);

/** Settings of the engine that bear on what a command does. */
export interface EngineSettings {
  /** `Approvals:SeparationOfDuties`: whoever started the run, or edited the subject, may not decide. */
  readonly separationOfDuties: boolean;
  /** `Approvals:ExcludeDeployers`: nor may whoever deployed a model that the run used. */
  readonly excludeDeployers: boolean;
  /** `Approvals:RequireDigest`: a decision must say which subject it is about. */
  readonly requireDigest: boolean;
  /** Backoff before the second attempt of a job in ms; doubled for each further one. */
  readonly retryBackoffMs: number;
  readonly retryBackoffMaxMs: number;
}

export interface AdvanceResult {
  readonly state: RunState;
  /** What became true, in order; appended to the run's history. */
  readonly events: readonly RunEventDraft[];
  /** What the world must now do. */
  readonly requests: readonly EngineRequest[];
  /** The approval that the command was about, as it is afterwards. */
  readonly approval: ApprovalRecord | null;
  /** The question that the command was about, as it is afterwards. */
  readonly question?: QuestionRecord;
  /** Why the command was refused. A refusal may still have events (a void approval is asked again). */
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
  /** Structure: ids, codes, digests, decisions. Hashed as it stands. */
  readonly data: JsonObject;
  /** Free text, persons and payloads: hashed as a salted commitment, so that it can be erased later. */
  readonly private: (JsonObject & { actor?: Json }) | null;
}

export type EngineRequest =
  | { readonly type: 'job.offer'; readonly job: JobOffer }
  | { readonly type: 'job.reschedule'; readonly jobId: string; readonly dueAt: number; readonly attempt: number }
  /** `ifUnclaimed`: only as long as no worker has begun it; otherwise the command is decided again. */
  | { readonly type: 'job.withdraw'; readonly jobId: string; readonly ifUnclaimed?: true }
  | { readonly type: 'approval.open'; readonly approval: ApprovalRecord }
  | { readonly type: 'approval.change'; readonly change: ApprovalChange }
  /** Who may not decide a pending approval, since more people have had a hand in it. */
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
  /** Somebody voted in the place of an absent approver: that must hold until it is written; otherwise it is decided again. */
  | { readonly type: 'absence.rely'; readonly absenceId: string }
  | { readonly type: 'personal_data.erase'; readonly erasure: RunErasure };

export interface JobOffer {
  readonly jobId: string;
  readonly stepId: string;
  readonly elementId: string;
  readonly jobType: string;
  readonly attempt: number;
  readonly toolConstraints: ToolConstraints | null;
  /** The call of an agent that it makes. */
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
 * What a run tells others. It is stored with the command that sends it, and delivered afterwards: at least once, with an
 * effect once.
 */
export type OutgoingMessage = { readonly messageId: string } &
  /** For all runs but the one that sends it, which has received it already. */
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

/** People who had a hand in the data of a run, told to those that it has called and to the one that called it. */
export interface ContributorsMessage {
  readonly kind: 'contributors';
  readonly childRunId: string;
  /** The child, or the run that called it. */
  readonly toRunId: string;
  readonly rootRunId: string;
  /** Their ids. */
  readonly contributors: readonly string[];
}

export interface ChildStart {
  readonly kind: 'child.start';
  readonly childRunId: string;
  readonly workflowId: string;
  /** `latest`, a version, or (for "deployed together with this one") the digest of the file. */
  readonly binding: 'latest' | number | { readonly digest: string };
  readonly inputs: JsonObject;
  readonly inputTaints?: Taints;
  /** Ids of the people behind the inputs. */
  readonly contributors?: readonly string[];
  readonly parent: ParentRun;
  readonly businessKey: string | null;
}

/** An approval as it is stored and shown. */
export interface ApprovalRecord extends Omit<PendingApproval, 'subjectNames'> {
  readonly runId: string;
  readonly workflowId: string;
  readonly workflowVersion: number;
  readonly stepId: string;
  readonly elementId: string;
  readonly requestedBy: string;
  readonly status: ApprovalStatus;
  readonly resolvedAt: number | null;
  readonly resolvedBy: RecordedActor | null;
  /** Ids of the people who may not decide, and why (`started_run`, `edited_subject`, `deployed_model`, `assigned_self`, `decided_before`). */
  readonly excluded: Readonly<Record<string, string>>;
  readonly subject: ApprovalSubject;
}

/** What of an approval changes after it was opened. */
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
