import type {
  ApprovalRecord,
  ArtifactRecord,
  Json,
  JsonObject,
  PolicyDecision,
  QuestionRecord,
  QuestionStatus,
  RiskLevel,
  RunOutcome,
  RunProjection,
  RunStatus,
  ToolCallSubject,
  UserTaskSubject,
} from '@countersign/model';

export type { ApprovalRecord, ArtifactRecord, QuestionRecord };
export type { AuditEntry, AuditRecord } from '@countersign/model';

/** A run as lists and details show it. Times are in milliseconds since the epoch. */
export interface RunRecord extends RunProjection {
  readonly runId: string;
  /** Name of the engine that starts the jobs and fires the timers of the run. It never changes. */
  readonly engine: string;
  readonly workflowId: string;
  readonly workflowVersion: number;
  readonly workflowDigest: string;
  readonly outcome: RunOutcome | null;
  readonly startedAt: number;
  readonly startedBy: string;
  readonly updatedAt: number;
  readonly completedAt: number | null;
  readonly businessKey: string | null;
  readonly parentRunId: string | null;
}

/** A run with its state. */
export interface FoundRun {
  /** The run after its last command. */
  readonly run: RunRecord;
  /**
   * The run as lists show it: a call activity counts as its child run, so the waits of a child run appear in its parent
   * run.
   */
  readonly displayedRun: RunRecord;
  /** The JSON text of the run's state. */
  readonly state: string;
}

/** Filters runs as lists show them. */
export interface RunFilter {
  readonly status?: RunStatus;
  readonly outcome?: RunOutcome;
  readonly workflowId?: string;
  readonly workflowVersion?: number;
  readonly engine?: string;
  readonly riskLevel?: string;
  readonly startedBy?: string;
  readonly businessKey?: string;
  readonly startedAfter?: number;
  readonly startedBefore?: number;
  readonly waitingFor?: 'approval' | 'question' | 'event' | 'timer';
  /** Only active runs that wait for nothing and have not changed since this time (ms since the epoch). */
  readonly stuckSince?: number;
  /**
   * Only runs that have failed but not ended, so that they can be recovered, and runs that are stuck, as with
   * {@link RunFilter.stuckSince}.
   */
  readonly needsAttention?: { readonly stuckSince: number };
  /** Only child runs of this run. */
  readonly parentRunId?: string;
  /** `true`: only root runs; `false`: only child runs. */
  readonly root?: boolean;
  /** Text that the business key, the workflow id or the run id contains. */
  readonly q?: string;
}

export interface ApprovalPerson {
  readonly id: string;
  /** Further names of the person, compared without regard to case. */
  readonly userNames?: readonly string[];
  readonly groups: readonly string[];
}

export interface ApprovalFilter {
  readonly status?: string;
  readonly runId?: string;
  /** Only approvals of this run and its child runs, at all levels. */
  readonly calledFrom?: string;
  readonly workflowId?: string;
  readonly riskLevel?: string;
  readonly dueBefore?: number;
  /** Only approvals whose run this actor started. */
  readonly requestedBy?: string;
  /** Only approvals with this candidate group. */
  readonly candidateGroup?: string;
  /** Only these approvals. */
  readonly approvalIds?: readonly string[];
  /**
   * Text that an id, the title, the description, the business key, the requester or the subject contains. Only the
   * beginning of a long subject is searched.
   */
  readonly q?: string;
  /**
   * Only pending approvals that this person may decide: a candidate (by id, group or delegation) who is not excluded
   * and has not voted.
   */
  readonly decidableBy?: ApprovalPerson;
  /** Only pending approvals that this person may not decide. */
  readonly undecidableBy?: ApprovalPerson;
  /** Only approvals that this person has voted on, newest first. */
  readonly votedBy?: string;
  /** `urgency`: by risk, highest first, then by due date. */
  readonly sort?: 'newest' | 'risk' | 'due' | 'urgency';
}

/** The parts of a subject that lists need. Its inputs, which may be large, are left out. */
export type SubjectOutline =
  | Pick<UserTaskSubject, 'kind' | 'evidence'>
  | Pick<ToolCallSubject, 'kind' | 'evidence' | 'tool' | 'effect' | 'reversible' | 'hosts'>;

/** An approval as an item of the inbox. */
export interface ListedApproval extends Omit<ApprovalRecord, 'subject'> {
  /** One line that distinguishes it from other approvals; see `summarizeSubject`. */
  readonly summary: string;
  readonly subject: SubjectOutline;
  readonly comments: CommentCount;
}

/** The comments on an approval and on its earlier rounds. */
export interface CommentCount {
  readonly count: number;
  /** Time of the last comment in milliseconds since the epoch; `null` if there is none. */
  readonly lastAt: number | null;
  /** Time of the last comment that the reader of the list did not write, or whose author was erased. */
  readonly lastByOthersAt: number | null;
}

/** The comments on all rounds of an approval, and those of them by one author. Erased comments have no characters. */
export interface DiscussionSize {
  readonly comments: number;
  /** Characters of the texts and of the quoted lines. */
  readonly characters: number;
  readonly ownComments: number;
  readonly ownCharacters: number;
}

/** How often each value of a property occurs among the approvals that a filter finds, most frequent first. */
export interface ApprovalCounts {
  readonly total: Count;
  readonly workflows: readonly ValueCount[];
  readonly requesters: readonly ValueCount[];
  readonly groups: readonly ValueCount[];
}

export interface ValueCount {
  readonly value: string;
  readonly count: number;
}

/** A policy decision about a step or a tool call, as the history records it. */
export interface PolicyDecisionRecord {
  readonly runId: string;
  readonly workflowId: string;
  /** Position of the recording event. */
  readonly seq: number;
  readonly at: number;
  readonly stepId: string;
  readonly elementId: string;
  /** `null` for a decision about the step itself. */
  readonly callId: string | null;
  readonly tool: string | null;
  readonly agentName: string | null;
  readonly decision: PolicyDecision;
}

export interface PolicyDecisionFilter {
  readonly decision?: PolicyDecision['decision'];
  readonly riskLevel?: RiskLevel;
  readonly workflowId?: string;
  readonly runId?: string;
  readonly policyDigest?: string;
}

export interface QuestionFilter {
  readonly status?: QuestionStatus;
  readonly runId?: string;
  readonly workflowId?: string;
  /** Only questions that are due before this time (ms since the epoch). */
  readonly dueBefore?: number;
  /** Text that an id, the question, the name of the agent, the workflow id or the run's business key contains. */
  readonly q?: string;
  /** `newest` (default), or `due`: earliest due date first, then the oldest; questions without a due date last. */
  readonly sort?: 'newest' | 'due';
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** The number of items in a list. */
export interface Count {
  readonly count: number;
  /** `false` if there are at least this many and counting stopped. */
  readonly exact: boolean;
}

export interface PageRequest {
  /** Maximum number of items, from 1 to 200. */
  readonly limit: number;
  /** An opaque `nextCursor`. Any other string is an `invalid_cursor`. */
  readonly cursor?: string;
}

export interface WorkflowVersionRecord {
  readonly workflowId: string;
  readonly version: number;
  /** `sha256:<hex>` of the BPMN bytes. */
  readonly digest: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly inputSchema: JsonObject | null;
  readonly elements: Json;
  readonly bpmnXml: string;
  readonly deployedAt: number;
  readonly deployedBy: string;
}

export interface RunArtifact extends ArtifactRecord {
  readonly runId: string;
}
