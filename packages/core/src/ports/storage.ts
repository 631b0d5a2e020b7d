import type { ServiceIdentifier } from 'inversify';
import type {
  ApprovalChange,
  ChainedAudit,
  ChainedEvent,
  JobOffer,
  JsonObject,
  QuestionChange,
  QuestionRecord,
  RunErasure,
  RunEvent,
  SignalSubscriptionRecord,
  SubscriptionRecord,
} from '@countersign/model';
import type { AbsenceStore } from './absences.js';
import type { PeopleStore } from './people.js';
import type { DmnDecisionStore, DmnDecisionUse } from './dmn-decisions.js';
import type { InboundEventStore } from './inbound-events.js';
import type { MessageStore } from './messages.js';
import type { CommandCause, OutboxStore, OutgoingRow } from './outbox.js';
import type {
  ApprovalFilter,
  ApprovalRecord,
  ArtifactRecord,
  AuditEntry,
  AuditRecord,
  Count,
  FoundRun,
  Page,
  PageRequest,
  PolicyDecisionFilter,
  PolicyDecisionRecord,
  QuestionFilter,
  RunArtifact,
  RunFilter,
  RunRecord,
  WorkflowVersionRecord,
} from './records.js';
import type { PersonalDataStore } from './personal-data.js';
import type { SettingsStore } from './settings.js';
import type { StatisticsStore } from './statistics.js';
import type { StartEvents, StartEventStore } from './start-events.js';

/** All that is stored. One implementation serves all of it, because a command writes most of it at once. */
export interface StoragePort
  extends
    RunStore,
    OutboxStore,
    SettingsStore,
    MessageStore,
    InboundEventStore,
    JobStore,
    TimerStore,
    StartEventStore,
    WorkflowStore,
    DmnDecisionStore,
    QueryStore,
    StatisticsStore,
    AuditStore,
    AbsenceStore,
    PeopleStore,
    PersonalDataStore,
    ChangeFeed {
  /** Tries the database. @throws where it does not answer. */
  check(): Promise<void>;
}

export const StoragePort: ServiceIdentifier<StoragePort> = Symbol.for('@countersign/core:StoragePort');

/** The command path. */
export interface RunStore {
  /** The runs as they are now; those that do not exist are missing. */
  loadRuns(runIds: readonly string[]): Promise<ReadonlyMap<string, StoredRun>>;
  /** The run ids behind approval ids; unknown ones are missing. */
  findRunsOfApprovals(approvalIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The run ids behind question ids; unknown ones are missing. */
  findRunsOfQuestions(questionIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Writes the outcome of several runs' commands in one transaction. Each run's write stands or falls alone: by its
   * revision, by the fence of its job, by its idempotency key. The result has the order of the writes.
   *
   * @throws where all of them failed, or it is not known of any whether it did
   */
  commit(writes: readonly RunWrite[]): Promise<readonly CommitResult[]>;
  /** Answers given earlier under idempotency keys, in the order asked; `undefined` for unused keys. */
  findStoredResponses(keys: readonly IdempotencyKey[]): Promise<readonly (StoredResponse | undefined)[]>;
  /** Stores an answer by itself, unless there is one under its key already. @returns the one that stands */
  storeResponse(answer: IdempotencyKey & StoredResponse): Promise<StoredResponse>;
}

export interface StoredRun {
  readonly revision: number;
  /** The JSON text of the run's state. */
  readonly state: string;
  readonly lastEventHash: string;
  readonly auditSeq: number;
  readonly lastAuditHash: string;
}

export interface RunWrite {
  /** The revision that the command was decided on; 0 for a new run. */
  readonly expectedRevision: number;
  /** Of a new run: written only while its workflow version is the newest one. */
  readonly requireNewestVersion: boolean;
  /** Decisions that were evaluated, or looked for; written only while each of these versions is the newest one. */
  readonly decisionsUsed: readonly DmnDecisionUse[];
  /**
   * Of a vote in a run that calls others or was called: the people who are known to have had a hand in the data of one of them
   * (`contributorsUnderWay`); written only while no others are under way (else `outdated`).
   */
  readonly contributorsKnown: { readonly rootRunId: string; readonly ids: readonly string[] } | null;
  readonly run: RunRecord;
  readonly next: StoredRun;
  readonly events: readonly ChainedEvent[];
  readonly audit: readonly ChainedAudit[];
  readonly jobsOffered: readonly (JobOffer & {
    /** The process that starts on it at once, or `null`: whoever claims it. */
    readonly owner: string | null;
  })[];
  /** How long the jobs that have an owner belong to it without a sign of life, in ms. */
  readonly leaseMs: number;
  readonly jobsRescheduled: readonly {
    readonly jobId: string;
    readonly dueAt: number;
    readonly attempt: number;
    /** Nobody knows whether the attempt before has done the work: its claim counts as one that was lost, so the epoch rises. */
    readonly isOpen: boolean;
  }[];
  readonly jobsWithdrawn: readonly string[];
  /** Jobs that the command takes for unbegun; written only while nobody has ever claimed one of them (else `conflict`). */
  readonly jobsUnbegun: readonly string[];
  readonly subscriptionsOpened: readonly SubscriptionRecord[];
  readonly subscriptionsClosed: readonly string[];
  readonly signalsOpened: readonly SignalSubscriptionRecord[];
  readonly signalsClosed: readonly string[];
  readonly timersArmed: readonly { readonly timerId: string; readonly stepId: string; readonly dueAt: number }[];
  readonly timersDisarmed: readonly string[];
  readonly approvalsOpened: readonly ApprovalRecord[];
  readonly approvalsChanged: readonly ApprovalChange[];
  /** Who may not decide pending approvals from now on. */
  readonly approvalsExcluded: readonly {
    readonly approvalId: string;
    readonly excluded: Readonly<Record<string, string>>;
  }[];
  readonly questionsOpened: readonly QuestionRecord[];
  readonly questionsChanged: readonly QuestionChange[];
  readonly artifacts: readonly ArtifactRecord[];
  /** What the run tells others, in order. */
  readonly outgoing: readonly OutgoingRow[];
  /** The message whose effect this is. */
  readonly cause: CommandCause | null;
  /** Of a run that begins because a call activity calls it. */
  readonly calledFrom: CalledFrom | null;
  /** Of a run that a message with a correlation key started, where it begins or ends with this command. */
  readonly startKey: StartKey | null;
  /** The job whose result this is; written only while its lease has this epoch. */
  readonly fence: { readonly jobId: string; readonly epoch: number } | null;
  /** The key that the vote is signed with, and whose it must be; written only while it is not revoked (else `revoked`). */
  readonly signingKey: { readonly keyId: string; readonly subject: string } | null;
  /**
   * Ids of absences in which somebody voted in the place of another; written only while `absencesNow` has them (else
   * `outdated`), under whichever names.
   */
  readonly absencesUsed: readonly string[];
  /** Personal data that goes with the command; `null` with nearly all. */
  readonly erasure: RunErasure | null;
  readonly storedResponse: (IdempotencyKey & StoredResponse) | null;
}

/**
 * While a run is active that a message started, no other message with the same correlation key starts a run of its
 * workflow (as on Zeebe). A run that begins is written only where the key is free.
 */
export interface StartKey {
  readonly correlationKey: string;
  readonly begins: boolean;
  readonly ends: boolean;
}

/**
 * The run that nobody has called, from which a called run comes over one call or several. The called run is written only
 * where fewer than `atMost` are alive that come from there (else `crowded`); commits that go on at the same time do not
 * see each other's.
 */
export interface CalledFrom {
  readonly rootRunId: string;
  readonly atMost: number;
}

export interface IdempotencyKey {
  /** Principal and route. */
  readonly scope: string;
  readonly key: string;
}

export interface StoredResponse {
  /** SHA-256 (hex) of the request's canonical form. */
  readonly requestDigest: string;
  readonly response: JsonObject;
}

/**
 * `conflict`: someone else moved the run on, load it and decide again. `fenced`: the job belongs to someone else by
 * now, or the message was delivered by someone else; drop the result. `answered`: the idempotency key was used meanwhile,
 * look the answer up. `outdated`: another version of a decision that it relied on is the newest by now, an absence that
 * it relied on is over, or somebody whom it does not know of had a hand in the data; decide again.
 * `locked`: another session holds a row that the command writes locked, and nothing was written; try again in a moment.
 * `crowded`: as many called runs of one root are alive as may be. `revoked`: the key that a vote is signed with is revoked.
 */
export type CommitResult =
  'committed' | 'conflict' | 'fenced' | 'answered' | 'outdated' | 'crowded' | 'revoked' | 'locked' | CommitFailure;

/** The commit of this write failed, whatever became of the others. */
export interface CommitFailure {
  readonly error: unknown;
}

export interface JobStore {
  /** Takes jobs that nobody works on, oldest first (`SKIP LOCKED`); each claim raises the epoch. */
  claimJobs(request: {
    readonly owner: string;
    readonly jobTypes: readonly string[];
    readonly limit: number;
    readonly leaseMs: number;
    /** Ids of runs whose jobs are not claimed. */
    readonly exceptRuns?: readonly string[];
  }): Promise<readonly ClaimedJob[]>;
  /** Prolongs leases. @returns the ids of those that still are the owner's. */
  renewLeases(owner: string, jobIds: readonly string[], leaseMs: number): Promise<readonly string[]>;
  /** Those of some jobs that are still there and the owner's. */
  findHeldJobs(owner: string, jobIds: readonly string[]): Promise<readonly string[]>;
  /** Gives all leases of a process back, so that others need not wait for their end. */
  releaseJobs(owner: string): Promise<void>;
  /** Milliseconds until the next job of these types that waits for its time, or `null`. */
  nextJobDelay(jobTypes: readonly string[]): Promise<number | null>;
  /** Those of some jobs that somebody has claimed at least once. */
  findEverClaimedJobs(jobIds: readonly string[]): Promise<readonly string[]>;
}

export interface ClaimedJob extends JobOffer {
  readonly runId: string;
  readonly epoch: number;
}

export interface TimerStore {
  /**
   * Timers that are due, earliest first.
   *
   * @param exceptRuns ids of runs whose timers are left out
   */
  dueTimers(
    now: number,
    limit: number,
    exceptRuns?: readonly string[],
  ): Promise<readonly { readonly timerId: string; readonly runId: string; readonly dueAt: number }[]>;
  /**
   * When the next timer is due (ms since the epoch), or `null`.
   *
   * @param after only timers due after this time (ms since the epoch)
   */
  nextTimerAt(after?: number): Promise<number | null>;
}

export interface WorkflowStore {
  /**
   * Stores versions of several workflows, all or none: the same bytes give the version that there is, others the next
   * number, whose start events replace those of the version before. The result has the order of the deployments.
   */
  saveWorkflowVersions(
    deployments: readonly WorkflowDeployment[],
  ): Promise<readonly { readonly version: WorkflowVersionRecord; readonly created: boolean }[]>;
  /** A version, the newest one by default. */
  findWorkflowVersion(workflowId: string, version?: number): Promise<WorkflowVersionRecord | undefined>;
  findWorkflowByDigest(workflowId: string, digest: string): Promise<WorkflowVersionRecord | undefined>;
  listWorkflowVersions(workflowId: string): Promise<readonly Omit<WorkflowVersionRecord, 'bpmnXml'>[]>;
  /** The newest version of each workflow. */
  listWorkflows(page: PageRequest): Promise<Page<Omit<WorkflowVersionRecord, 'bpmnXml'>>>;
}

/** What of a file becomes a version of one workflow. */
export interface WorkflowDeployment {
  readonly version: Omit<WorkflowVersionRecord, 'version'>;
  readonly starts: StartEvents;
  /** Written (with the number) where a version comes to be. */
  readonly audit: AuditEntry;
}

export interface QueryStore {
  findRun(runId: string): Promise<FoundRun | undefined>;
  /** These runs as they are shown, newest first; those that do not exist are missing. */
  findRuns(runIds: readonly string[]): Promise<readonly RunRecord[]>;
  /** Runs as they are shown, and what is shown is what the filter looks at. */
  listRuns(filter: RunFilter, page: PageRequest): Promise<Page<RunRecord>>;
  /** How many `listRuns` would list, as far as is cheap. */
  countRuns(filter: RunFilter, atMost: number): Promise<Count>;
  findApproval(approvalId: string): Promise<ApprovalRecord | undefined>;
  listApprovals(filter: ApprovalFilter, page: PageRequest): Promise<Page<ApprovalRecord>>;
  /** What the policy has decided about steps and calls, newest first. */
  listPolicyDecisions(filter: PolicyDecisionFilter, page: PageRequest): Promise<Page<PolicyDecisionRecord>>;
  findQuestion(questionId: string): Promise<QuestionRecord | undefined>;
  /** Newest first. */
  listQuestions(filter: QuestionFilter, page: PageRequest): Promise<Page<QuestionRecord>>;
  /** All questions of a run, in the order in which they were asked. */
  listRunQuestions(runId: string): Promise<readonly QuestionRecord[]>;
  /** What a step of an agent has recorded (`agent.…` and `question.…`), of these types or of all, oldest first. */
  listAgentEvents(runId: string, stepId: string, types?: readonly string[]): Promise<readonly RunEvent[]>;
  /** Oldest first, behind `after`. */
  listRunEvents(runId: string, after: number, limit: number): Promise<readonly RunEvent[]>;
  /** All versions, oldest first. */
  listArtifacts(runId: string): Promise<readonly RunArtifact[]>;
  /** A version, the newest one by default. */
  findArtifact(runId: string, name: string, version?: number): Promise<RunArtifact | undefined>;
}

export interface AuditStore {
  /** Adds to the server's own chain (what belongs to a run goes with the run's command). */
  appendAudit(entries: readonly AuditEntry[]): Promise<void>;
  /** Behind the audit id `after` oldest first; without it newest first, older than `before` where that is given. */
  listAudit(
    filter: { readonly runId?: string; readonly actor?: string; readonly after?: string; readonly before?: string },
    limit: number,
  ): Promise<readonly AuditRecord[]>;
  /** The server's own chain behind a position (0: from its beginning), in its order. */
  listServerAudit(after: number, limit: number): Promise<readonly AuditRecord[]>;
}

/** What lists and inboxes follow. */
export interface ChangeFeed {
  /** The present position, behind everything that has been committed. */
  feedPosition(): Promise<string>;
  /**
   * Changes behind a position, in an order that never puts a change before a position already handed out, also one
   * whose transaction committed late. `absences` is another text than before where other people are away now, or away
   * otherwise. @throws `invalid_cursor`
   */
  changesAfter(
    position: string,
    limit: number,
  ): Promise<{ readonly position: string; readonly changes: readonly Change[]; readonly absences: string }>;
}

export interface Change {
  readonly runId: string;
  readonly workflowId: string;
  /** The run whose call activity started this one. */
  readonly parentRunId: string | null;
  /** The type of the run event. */
  readonly type: string;
  readonly seq: number;
  readonly at: number;
  readonly stepId: string | null;
  readonly elementId: string | null;
  /** The event's data, as a JSON text: most of those who hear of it only pass it on. */
  readonly dataText: string;
}
