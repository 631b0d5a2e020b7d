import type { Json, JsonObject } from './json.js';
import type { PolicyFunction, ToolConstraints } from './policy.js';
import type { RecordedActor } from './principal.js';
import type { ApprovalStatus, ApprovalSubject, PendingApproval, RunState } from './run-state.js';

/** All that varies besides the command: the time, and what the policy says. */
export interface AdvanceContext {
  /** Milliseconds since the epoch. Never before the run's last command: the caller sees to that. */
  readonly now: number;
  readonly policy: PolicyFunction;
  readonly settings: EngineSettings;
}

/** Settings of the engine that bear on what a command does. */
export interface EngineSettings {
  /** `Approvals:SeparationOfDuties`: whoever started the run, or edited the subject, may not decide. */
  readonly separationOfDuties: boolean;
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
  /** Why the command was refused. A refusal may still have events (a void approval is asked anew). */
  readonly refusal: Refusal | null;
}

export interface Refusal {
  /** A stable error code of the contract, for example `approval_already_resolved`. */
  readonly code: string;
  readonly message: string;
  readonly details?: JsonObject;
}

/** A run event before it is chained. */
export interface RunEventDraft {
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly type: string;
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
  | { readonly type: 'job.withdraw'; readonly jobId: string }
  | { readonly type: 'approval.open'; readonly approval: ApprovalRecord }
  | { readonly type: 'approval.change'; readonly change: ApprovalChange }
  | { readonly type: 'subscription.open'; readonly subscription: SubscriptionRecord }
  | { readonly type: 'subscription.close'; readonly subscriptionId: string }
  | { readonly type: 'timer.arm'; readonly timerId: string; readonly stepId: string; readonly dueAt: number }
  | { readonly type: 'timer.disarm'; readonly timerId: string }
  | { readonly type: 'artifact.put'; readonly artifact: ArtifactRecord };

export interface JobOffer {
  readonly jobId: string;
  readonly stepId: string;
  readonly elementId: string;
  readonly jobType: string;
  readonly attempt: number;
  readonly toolConstraints: ToolConstraints | null;
}

export interface SubscriptionRecord {
  readonly subscriptionId: string;
  readonly stepId: string;
  readonly elementId: string;
  readonly messageName: string;
  readonly correlationKey: string;
  readonly since: number;
}

/** An approval as it is stored and shown. */
export interface ApprovalRecord extends PendingApproval {
  readonly runId: string;
  readonly workflowId: string;
  readonly workflowVersion: number;
  readonly stepId: string;
  readonly elementId: string;
  readonly requestedBy: string;
  readonly status: ApprovalStatus;
  readonly resolvedAt: number | null;
  readonly resolvedBy: RecordedActor | null;
  /** Ids of the people who may not decide, and why (`started_run`, `edited_subject`, `decided_before`). */
  readonly excluded: Readonly<Record<string, string>>;
  readonly subject: ApprovalSubject;
}

/** What of an approval changes after it was opened. */
export type ApprovalChange = Pick<
  ApprovalRecord,
  | 'approvalId'
  | 'status'
  | 'resolvedAt'
  | 'resolvedBy'
  | 'candidateUsers'
  | 'candidateGroups'
  | 'delegations'
  | 'votes'
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
