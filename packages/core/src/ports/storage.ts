import type { ServiceIdentifier } from 'inversify';
import type {
  Actor,
  ApprovalChange,
  ApprovalComment,
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
import type { AnnouncementStore } from './announcements.js';
import type { AbsenceStore } from './absences.js';
import type { PeopleStore } from './people.js';
import type { DmnDecisionStore, DmnDecisionUse } from './dmn-decisions.js';
import type { EngineRegister } from './engine-register.js';
import type { InboundEventStore } from './inbound-events.js';
import type { MessageStore } from './messages.js';
import type { CommandCause, OutboxStore, OutgoingRow } from './outbox.js';
import type {
  ApprovalCounts,
  ApprovalFilter,
  ApprovalRecord,
  ArtifactRecord,
  AuditEntry,
  AuditRecord,
  Count,
  DiscussionSize,
  FoundRun,
  ListedApproval,
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

/**
 * Stores all data of the server. One implementation serves all parts, because a command writes most of them in one
 * transaction.
 */
export interface StoragePort
  extends
    RunStore,
    AnnouncementStore,
    EngineRegister,
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
  /** Checks that the database responds. @throws {Error} if it does not. */
  check(): Promise<void>;
}

export const StoragePort: ServiceIdentifier<StoragePort> = Symbol.for('@countersign/core:StoragePort');

/** Loads runs and commits the outcome of their commands. */
export interface RunStore {
  /** Returns the current runs by their ids; unknown ids are missing. */
  loadRuns(runIds: readonly string[]): Promise<ReadonlyMap<string, StoredRun>>;
  /** Returns run ids by approval id; unknown approvals are missing. */
  findRunsOfApprovals(approvalIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns run ids by question id; unknown questions are missing. */
  findRunsOfQuestions(questionIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Writes the outcome of commands of several runs in one transaction. Each write succeeds or fails on its own, by its
   * revision, the fence of its job and its idempotency key.
   *
   * @returns one result per write, in the order of the writes
   * @throws {Error} if all writes failed, or if the outcome of the transaction is unknown
   */
  commit(writes: readonly RunWrite[]): Promise<readonly CommitResult[]>;
  /** Returns the responses stored under idempotency keys, in the order of the keys; `undefined` for unused keys. */
  findStoredResponses(keys: readonly IdempotencyKey[]): Promise<readonly (StoredResponse | undefined)[]>;
  /**
   * Stores a response outside a commit, unless its key already has one.
   *
   * @returns the response that is stored under the key
   */
  storeResponse(response: IdempotencyKey & StoredResponse): Promise<StoredResponse>;
}

/** The engine that claims jobs and timers from the storage. All other engines are external. */
export const EMBEDDED_ENGINE = 'embedded';

export interface StoredRun {
  /** Name of the engine that starts the jobs and fires the timers of the run. It never changes. */
  readonly engine: string;
  readonly revision: number;
  /** The JSON text of the run's state. */
  readonly state: string;
  readonly lastEventHash: string;
  readonly auditSeq: number;
  readonly lastAuditHash: string;
}

export interface RunWrite {
  /** The revision that the command was evaluated on; 0 for a new run. */
  readonly expectedRevision: number;
  /** Whether a new run is written only if its workflow version is the newest one. */
  readonly requireNewestVersion: boolean;
  /**
   * The engine to which the workflow of a new run was moved when the start was evaluated; `null` if it was not. The run is
   * written only if this has not changed; otherwise the result is `conflict`.
   */
  readonly engineOfWorkflow: string | null;
  /** DMN decisions that the command evaluated or looked up; written only if each version is still the newest one. */
  readonly decisionsUsed: readonly DmnDecisionUse[];
  /**
   * For a vote in a run with a parent run or child runs: the known contributors to the data of these runs
   * (`pendingContributors` of the command). If messages with other contributors are still in the outbox, the result is
   * `outdated`.
   */
  readonly contributorsKnown: { readonly rootRunId: string; readonly ids: readonly string[] } | null;
  readonly run: RunRecord;
  readonly next: Omit<StoredRun, 'engine'>;
  readonly events: readonly ChainedEvent[];
  readonly audit: readonly ChainedAudit[];
  readonly jobsOffered: readonly (JobOffer & {
    /** The process that starts the job immediately; `null` if any process may claim it. */
    readonly owner: string | null;
  })[];
  /** The lease of jobs with an owner, in ms. */
  readonly leaseMs: number;
  /**
   * Time in ms after which other servers may announce the new revision to the run's engine, if this server has not; `null`:
   * it is not announced.
   */
  readonly announceAfterMs: number | null;
  readonly jobsRescheduled: readonly {
    readonly jobId: string;
    readonly dueAt: number;
    readonly attempt: number;
    /**
     * Whether the outcome of the previous attempt is unknown. If so, its claim counts as lost, and the epoch increases.
     */
    readonly hasUnknownOutcome: boolean;
  }[];
  readonly jobsWithdrawn: readonly string[];
  /** Jobs that must never have been claimed; if one was, the result is `conflict`. */
  readonly jobsIfUnclaimed: readonly string[];
  readonly subscriptionsOpened: readonly SubscriptionRecord[];
  readonly subscriptionsClosed: readonly string[];
  readonly signalsOpened: readonly SignalSubscriptionRecord[];
  readonly signalsClosed: readonly string[];
  readonly timersArmed: readonly { readonly timerId: string; readonly stepId: string; readonly dueAt: number }[];
  readonly timersDisarmed: readonly string[];
  readonly approvalsOpened: readonly ApprovalRecord[];
  readonly approvalsChanged: readonly ApprovalChange[];
  /** People who are excluded from pending approvals from now on. */
  readonly approvalsExcluded: readonly {
    readonly approvalId: string;
    readonly excluded: Readonly<Record<string, string>>;
  }[];
  readonly questionsOpened: readonly QuestionRecord[];
  readonly questionsChanged: readonly QuestionChange[];
  readonly artifacts: readonly ArtifactRecord[];
  /** Messages of the run to other runs, in order. */
  readonly outgoing: readonly OutgoingRow[];
  /** The cause that the command consumes; `null` for a request. */
  readonly cause: CommandCause | null;
  /** The limit for a new run that a call activity started; otherwise `null`. */
  readonly callLimit: CallLimit | null;
  /** Set if the command starts or ends a run that is started by a message with a correlation key. */
  readonly startKey: StartKey | null;
  /** The job whose result the command submits. The write is made only if the lease of the job still has this epoch. */
  readonly fence: { readonly jobId: string; readonly epoch: number } | null;
  /** The key that signed the vote, and its required owner. If the key is revoked, the result is `revoked`. */
  readonly signingKey: { readonly keyId: string; readonly subject: string } | null;
  /**
   * Ids of absences that allowed a substitute to vote. If one is no longer returned by `listCurrentAbsences`, under any
   * name, the result is `outdated`.
   */
  readonly requiredAbsences: readonly string[];
  /** Personal data that the command erases; `null` for almost all commands. */
  readonly erasure: RunErasure | null;
  readonly storedResponse: (IdempotencyKey & StoredResponse) | null;
}

/**
 * While a run that a message started is active, no other message with the same correlation key starts a run of its
 * workflow (as in Zeebe). A new run is written only if its key is free.
 */
export interface StartKey {
  readonly correlationKey: string;
  readonly begins: boolean;
  readonly ends: boolean;
}

/**
 * The root run of a child run. The child run is written only if fewer than `maxRuns` child runs of this root, at all
 * levels, are active; otherwise the result is `crowded`. Concurrent commits do not count each other's runs.
 */
export interface CallLimit {
  readonly rootRunId: string;
  readonly maxRuns: number;
}

export interface IdempotencyKey {
  /** Principal and route. */
  readonly scope: string;
  readonly key: string;
}

export interface StoredResponse {
  /** SHA-256 (hex) of the request's canonical form. */
  readonly requestDigest: string;
  /** `{runId, erased: true}` if personal data of the run was erased since. */
  readonly response: JsonObject;
}

/**
 * The result of one write.
 *
 * - `conflict`: another command changed the run. Load it and evaluate the command again.
 * - `fenced`: the job has another owner, or the message was delivered by another process. Drop the result.
 * - `answered`: the idempotency key was used in the meantime. Look up its response.
 * - `outdated`: a newer version of a DMN decision exists, an absence has ended, or there is another contributor to the
 *   data. Evaluate the command again.
 * - `locked`: another session locks a row that the command writes. Nothing was written; retry shortly.
 * - `crowded`: the root run has the maximum number of active child runs.
 * - `revoked`: the key that signed the vote is revoked.
 */
export type CommitResult =
  'committed' | 'conflict' | 'fenced' | 'answered' | 'outdated' | 'crowded' | 'revoked' | 'locked' | CommitFailure;

/** The commit of this write failed; other writes of the transaction may have succeeded. */
export interface CommitFailure {
  readonly error: unknown;
}

export interface JobStore {
  /** Claims free jobs of the embedded engine, oldest first (`SKIP LOCKED`); each claim raises the epoch. */
  claimJobs(request: {
    readonly owner: string;
    readonly jobTypes: readonly string[];
    readonly limit: number;
    readonly leaseMs: number;
    /** Ids of runs whose jobs are not claimed. */
    readonly excludedRunIds?: readonly string[];
  }): Promise<readonly ClaimedJob[]>;
  /** Extends leases. @returns the ids of the jobs that the owner still holds */
  renewLeases(owner: string, jobIds: readonly string[], leaseMs: number): Promise<readonly string[]>;
  /** Returns the ids of the given jobs that exist and that the owner still holds. */
  findLeasedJobs(owner: string, jobIds: readonly string[]): Promise<readonly string[]>;
  /** Releases all leases of a process, so that others do not wait for them to expire. */
  releaseJobs(owner: string): Promise<void>;
  /** Returns the milliseconds until the next job of these types is due; `null` if none waits. */
  nextJobDelay(jobTypes: readonly string[]): Promise<number | null>;
  /**
   * Claims a job of an external engine, which decides when the job starts. Each claim raises the epoch, so an earlier
   * claim can no longer submit a result.
   *
   * @returns `undefined` if the job does not exist, or is at another attempt
   */
  takeJob(jobId: string, attempt: number, owner: string): Promise<ClaimedJob | undefined>;
  /** Returns the ids of the given jobs that were claimed at least once. */
  findEverClaimedJobs(jobIds: readonly string[]): Promise<readonly string[]>;
}

export interface ClaimedJob extends JobOffer {
  readonly runId: string;
  readonly epoch: number;
}

export interface TimerStore {
  /**
   * Returns the timers that are due, earliest first.
   *
   * @param excludedRunIds ids of runs whose timers are excluded
   */
  listDueTimers(
    now: number,
    limit: number,
    excludedRunIds?: readonly string[],
  ): Promise<readonly { readonly timerId: string; readonly runId: string; readonly dueAt: number }[]>;
  /**
   * Returns when the next timer is due (ms since the epoch); `null` if there is none.
   *
   * @param after only timers due after this time (ms since the epoch)
   */
  nextTimerAt(after?: number): Promise<number | null>;
}

export interface WorkflowStore {
  /**
   * Stores versions of several workflows, or none. If the bytes equal those of an existing version, that version is
   * returned. Otherwise the next version is created, and its start events replace those of the previous one.
   *
   * @returns one version per deployment, in the order of the deployments
   */
  saveWorkflowVersions(
    deployments: readonly WorkflowDeployment[],
  ): Promise<readonly { readonly version: WorkflowVersionRecord; readonly created: boolean }[]>;
  /** Returns a version, by default the newest one. */
  findWorkflowVersion(workflowId: string, version?: number): Promise<WorkflowVersionRecord | undefined>;
  findWorkflowVersionByDigest(workflowId: string, digest: string): Promise<WorkflowVersionRecord | undefined>;
  listWorkflowVersions(workflowId: string): Promise<readonly Omit<WorkflowVersionRecord, 'bpmnXml'>[]>;
  /** Lists the newest version of each workflow. */
  listWorkflows(page: PageRequest): Promise<Page<Omit<WorkflowVersionRecord, 'bpmnXml'>>>;
}

/** The part of a BPMN file that becomes a version of one workflow. */
export interface WorkflowDeployment {
  readonly version: Omit<WorkflowVersionRecord, 'version'>;
  readonly starts: StartEvents;
  /** Recorded, with the version number, if a new version is created. */
  readonly audit: AuditEntry;
}

export interface QueryStore {
  findRun(runId: string): Promise<FoundRun | undefined>;
  /** Returns the given runs, newest first; unknown ids are missing. */
  findRuns(runIds: readonly string[]): Promise<readonly RunRecord[]>;
  /** Lists runs. The filter applies to the returned records. */
  listRuns(filter: RunFilter, page: PageRequest): Promise<Page<RunRecord>>;
  /** Counts the runs that `listRuns` would return, up to a limit that keeps the query cheap. */
  countRuns(filter: RunFilter, maxCount: number): Promise<Count>;
  findApproval(approvalId: string): Promise<ApprovalRecord | undefined>;
  listApprovals(filter: ApprovalFilter, page: PageRequest): Promise<Page<ApprovalRecord>>;
  /**
   * Lists approvals like `listApprovals`, without the inputs of their subjects.
   *
   * @param reader whose own comments are told from those of others
   */
  listInbox(
    filter: ApprovalFilter,
    page: PageRequest,
    reader: Pick<Actor, 'type' | 'id'>,
  ): Promise<Page<ListedApproval>>;
  /**
   * Counts the approvals that `listApprovals` would return, and the values of their properties.
   *
   * @param maxCount the number of approvals that are counted at most
   */
  countApprovals(filter: ApprovalFilter, maxCount: number): Promise<ApprovalCounts>;
  /** Lists the comments on an approval and on its earlier rounds, oldest first. */
  listApprovalComments(approvalId: string, page: PageRequest): Promise<Page<ApprovalComment>>;
  /** Returns a comment on an approval or on one of its earlier rounds. */
  findApprovalComment(approvalId: string, commentId: string): Promise<ApprovalComment | undefined>;
  /** Measures the discussion of an approval: the comments on all its rounds, also on later ones. */
  measureDiscussion(approvalId: string, author: Pick<Actor, 'type' | 'id'>): Promise<DiscussionSize>;
  /** Lists the policy decisions about steps and calls, newest first. */
  listPolicyDecisions(filter: PolicyDecisionFilter, page: PageRequest): Promise<Page<PolicyDecisionRecord>>;
  findQuestion(questionId: string): Promise<QuestionRecord | undefined>;
  /** Lists questions, by default newest first. */
  listQuestions(filter: QuestionFilter, page: PageRequest): Promise<Page<QuestionRecord>>;
  /** Lists all questions of a run, oldest first. */
  listRunQuestions(runId: string): Promise<readonly QuestionRecord[]>;
  /** Lists the events of an agent step (`agent.…` and `question.…`), by default of all types, oldest first. */
  listAgentEvents(runId: string, stepId: string, types?: readonly string[]): Promise<readonly RunEvent[]>;
  /** Lists the run events after the position `after`, oldest first. */
  listRunEvents(runId: string, after: number, limit: number): Promise<readonly RunEvent[]>;
  /** Lists all versions of all artifacts, oldest first. */
  listArtifacts(runId: string): Promise<readonly RunArtifact[]>;
  /** Returns a version, by default the newest one. */
  findArtifact(runId: string, name: string, version?: number): Promise<RunArtifact | undefined>;
}

export interface AuditStore {
  /** Appends to the audit chain of the server. Audit entries of a run are part of the run's commits. */
  appendAudit(entries: readonly AuditEntry[]): Promise<void>;
  /**
   * Lists audit events. With `after`: the events after that audit id, oldest first. Otherwise: newest first, and with
   * `before` only events before that audit id.
   */
  listAudit(
    filter: { readonly runId?: string; readonly actor?: string; readonly after?: string; readonly before?: string },
    limit: number,
  ): Promise<readonly AuditRecord[]>;
  /** Lists the audit chain of the server after a position, in order. Position 0 is its start. */
  listServerAudit(after: number, limit: number): Promise<readonly AuditRecord[]>;
}

/** The feed of changes that lists and inboxes follow. */
export interface ChangeFeed {
  /** Returns the current position, after everything that is committed. */
  getFeedPosition(): Promise<string>;
  /**
   * Returns the changes after a position. No change ever appears before a position that was returned earlier, even if
   * its transaction committed late. `absences` is a different string whenever the absences have changed.
   *
   * @throws {ApiError} `invalid_cursor`
   */
  listChangesAfter(
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
  /** The event's data as JSON text, because most consumers only forward it. */
  readonly dataText: string;
}
