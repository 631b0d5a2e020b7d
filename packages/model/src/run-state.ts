import type { AgentCall, AgentState, AgentUsage, PendingQuestion, PinnedArtifact } from './agent.js';
import type { Json, JsonObject } from './json.js';
import type { Taints } from './taint.js';
import type { SubjectField } from './subject-field.js';
import type { RiskFactor, RiskLevel, ToolConstraints } from './policy.js';

export const RUN_OUTCOMES = Object.freeze(['completed', 'failed', 'cancelled', 'rejected'] as const);
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

export const RUN_STATUSES = Object.freeze(['active', 'blocked', 'completed', 'failed'] as const);
export type RunStatus = (typeof RUN_STATUSES)[number];

/**
 * The complete state of a run between two commands. Plain JSON, stored unchanged.
 *
 * The structure is Zeebe's: a tree of element instances whose root is the process instance. A scope instance contains
 * variables and the tokens that wait at its joins. Every instance can have any number of waits (a job, an approval,
 * subscriptions, timers, and those of boundary events).
 */
export interface RunState {
  readonly format: 1;
  readonly runId: string;
  readonly workflowId: string;
  readonly workflowVersion: number;
  readonly workflowDigest: string;
  readonly businessKey: string | null;
  /** The run whose call activity started this one. */
  readonly parent: ParentRun | null;
  /**
   * The correlation key of the message that started the run. While the run is active, no other message with this key
   * starts a run.
   */
  readonly startKey?: string;
  /** Id of the principal that started the run. */
  readonly startedBy: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Time of the last command other than a comment, which is not progress of the run. */
  readonly updatedAt: number;
  /** Time of the last comment on an approval. */
  readonly commentedAt?: number;
  readonly completedAt: number | null;
  readonly outcome: RunOutcome | null;
  readonly error: RunError | null;
  /** Whether a cancelled run is compensating completed activities. */
  readonly cancelling?: true;
  /** Number of the last run event. */
  readonly seq: number;
  /** Counter for instance keys and ids; never decreases. */
  readonly counter: number;
  /** Counter of steps entered. */
  readonly entered: number;
  /** Element instances by key; `root` is the key of the process instance. */
  readonly instances: Readonly<Record<string, ElementInstance>>;
  readonly root: number;
  /** Newest version of each artifact. */
  readonly artifacts: Readonly<Record<string, ArtifactReference>>;
  /** Risk of the last step of each task element, except steps superseded by rework. */
  readonly risks: readonly StepRisk[];
  /** Present if no person started the run, so that a person whose id happens to equal `startedBy` is not excluded. */
  readonly startedByService?: true;
  /** Ids of the people who contributed to the data, in this run or in runs that supplied data (`addContributors`). */
  readonly editors: readonly string[];
  /** Ids of the people who deployed earlier versions of the run or DMN decisions that it used. */
  readonly deployers?: readonly string[];
  /** Ids of the people who voted on approvals of this run. */
  readonly deciders: readonly string[];
  /**
   * Ids of the deciders whose votes were subject to the separation of duties. They may not later edit the data that
   * they voted on.
   */
  readonly separatedDeciders?: readonly string[];
  /** Whether any variable has ever contained untrusted data. */
  readonly tainted?: true;
  /** Salts of the digests of the people that events name, by type and id of the person. The engine stores them. */
  readonly personSalts?: Readonly<Record<string, string>>;
  /** `seq` of the last event that erased personal data, so that data read before it is not displayed from a cache. */
  readonly erasedAt?: number;
}

export interface ParentRun {
  readonly runId: string;
  /** Id of the root run: the topmost ancestor of this run, which has no parent run. */
  readonly rootRunId: string;
  /** Number of call activities above this run, 1 for a child. */
  readonly depth: number;
}

export interface RunError {
  readonly code: string;
  readonly message: string;
  readonly elementId: string | null;
}

export interface ArtifactReference {
  readonly version: number;
  readonly sha256: string;
  /** Id of the principal that uploaded this version. */
  readonly by: string;
  /** Ids of the principals that uploaded earlier versions. */
  readonly earlier?: readonly string[];
}

export interface StepRisk {
  readonly elementId: string;
  /** `enteredSeq` of the step. */
  readonly entered: number;
  readonly level: RiskLevel;
}

export interface ElementInstance {
  readonly key: number;
  readonly stepId: string;
  readonly elementId: string;
  /** Key of the parent scope's instance; `null` for the process. */
  readonly parent: number | null;
  readonly enteredSeq: number;
  /** Milliseconds since the epoch. */
  readonly enteredAt: number;
  /** 1 when the element is entered in its scope for the first time. */
  readonly iteration: number;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Variables of this scope, including local variables of an activity. */
  readonly variables?: JsonObject;
  /** Scopes: tokens waiting at joins, by gateway and flow. */
  readonly joins?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Scopes: number of times that each element was entered. */
  readonly iterations?: Readonly<Record<string, number>>;
  /**
   * Scopes: the last approval of each user task that must be requested again, so that the next one is the next round.
   */
  readonly rounds?: Readonly<Record<string, ApprovalRound>>;
  readonly waits?: readonly Wait[];
  readonly incident?: Incident;
  /** State of the agent in this step. */
  readonly agent?: AgentState;
  /** Before the first turn: usage of unusable responses. The agent definition may still change. */
  readonly discardedUsage?: AgentUsage;
  /** The hosts that the policy assessed for this step: its work must contact no others. Undefined if unknown. */
  readonly decidedHosts?: readonly string[];
  /** The ports used on these hosts, as the policy assessed them. Undefined in steps from before ADR 140. */
  readonly decidedPorts?: readonly number[];
  /** Agents: the tools that the policy allows or denies this step, if it restricts them. */
  readonly toolConstraints?: ToolConstraints;
  /** Variables of this scope that contain untrusted data. */
  readonly taints?: Taints;
  /** With an incident: the taints of its `result`. */
  readonly resultTaints?: Taints;
  /** Present on the instance that contains the loop instances, which are instances of the same element. */
  readonly loop?: LoopState;
  /** Loop instances: position, counted from 1. */
  readonly loopCounter?: number;
  /** Scopes: activities that can be compensated, in the order of completion. */
  readonly compensations?: readonly Compensation[];
  /** Pending compensations of a compensating throw event or of a cancelled scope. */
  readonly compensating?: CompensationProgress;
  /** Handlers: key of the throw event (or the cancelled scope) that waits for the handler. */
  readonly compensates?: number;
  /** Handlers: the step that the handler undoes. */
  readonly undoes?: UndoneStep;
  /** Scopes: complex gateways that have fired and wait for their remaining tokens, with the flows that they took. */
  readonly resets?: Readonly<Record<string, readonly string[]>>;
}

export interface LoopState {
  /** Items of the input collection; `null` if only their number is known. */
  readonly items: readonly Json[] | null;
  /** Sources of the taint of the items. */
  readonly taint?: readonly string[];
  /** Total number of loop instances; `null` if it depends on a condition. */
  readonly count: number | null;
  /** Number of loop instances started and completed. */
  readonly begun: number;
  readonly completed: number;
}

export interface UndoneStep {
  readonly stepId: string;
  readonly elementId: string;
}

/** A completed activity with a handler, or a completed sub-process that contains such activities. */
export interface Compensation extends UndoneStep {
  readonly handler: string | null;
  /** Number of the last run event at completion: handlers run in reverse order. */
  readonly seq: number;
  /** Local variables of a completed sub-process, visible to its handlers (BPMN 2.0, 10.7: a snapshot). */
  readonly variables?: JsonObject;
  readonly taints?: Taints;
  readonly inner?: readonly Compensation[];
  /**
   * Key of the instance of the parallel multi-instance activity that contains this loop instance. Independent loop
   * instances are compensated concurrently.
   */
  readonly turnOf?: number;
}

export interface CompensationProgress {
  /** Handlers yet to be started, last completed activity first. */
  readonly queue: readonly QueuedCompensation[];
  /** Number of running handlers. */
  readonly active: number;
  /**
   * The next action when all handlers are done: leave the throw event, check its scope for completion, end the
   * cancelled transaction by its boundary event, or cancel the run.
   */
  readonly then: 'leave' | 'settle' | 'cancelTransaction' | 'cancelRun';
}

/** A handler that will undo a step. */
export interface QueuedCompensation extends UndoneStep {
  readonly handler: string;
  /** Variables of the completed sub-processes around the activity; inner scopes take precedence. */
  readonly variables: JsonObject;
  readonly taints?: Taints;
  readonly seq: number;
  /** Activities that a compensation event sub-process may undo itself. */
  readonly inner?: readonly Compensation[];
  readonly turnOf?: number;
}

export interface ApprovalRound {
  readonly round: number;
  readonly approvalId: string;
}

export interface Incident {
  readonly code: string;
  readonly message: string;
  readonly at: number;
  /**
   * The phase that a recovery repeats: entering the element, its job, checking the scope for completion, or leaving the
   * element.
   */
  readonly phase: 'enter' | 'job' | 'settle' | 'leave';
  /** The job result, if the incident was raised on leaving; the event payload, if it was raised on entering. */
  readonly result?: JsonObject;
}

export type Wait =
  JobWait | ApprovalWait | QuestionWait | MessageWait | SignalWait | TimerWait | ConditionWait | ChildWait;

export interface JobWait {
  readonly kind: 'job';
  readonly jobId: string;
  readonly jobType: string;
  /** Remaining attempts, including this one. */
  readonly retries: number;
  /** Time of the next attempt, in milliseconds since the epoch, while the job waits for a retry. */
  readonly backoffUntil?: number;
  /** The agent call that the job executes; undefined: an agent turn, or a job without an agent. */
  readonly callId?: string;
  /** Attempt of a call, 1 for the first. A step's `attempt` counts the attempts of all its jobs. */
  readonly attempt?: number;
}

/** A wait for the answer to a question of an agent or the runtime. */
export interface QuestionWait {
  readonly kind: 'question';
  readonly question: PendingQuestion;
}

/** The common part of waits for events. */
export interface EventWait {
  /**
   * The event: the instance's own element, one of its boundary events, an event after an event-based gateway, or the
   * start event of an event sub-process in it.
   */
  readonly elementId: string;
  /** Index of the event's trigger, if it has several. */
  readonly trigger?: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

export interface MessageWait extends EventWait {
  readonly kind: 'message';
  readonly subscriptionId: string;
  readonly messageName: string;
  readonly correlationKey: string;
}

export interface SignalWait extends EventWait {
  readonly kind: 'signal';
  readonly subscriptionId: string;
  readonly signalName: string;
}

export interface TimerWait extends EventWait {
  readonly kind: 'timer';
  readonly timerId: string;
  /** Purpose of the timer: the element's own event, or the due date of an approval or a question. */
  readonly purpose: 'event' | 'approval' | 'question';
  /** Question timers only. */
  readonly questionId?: string;
  readonly dueAt: number;
  /** Cycles: the remaining schedule. */
  readonly cycle?: TimerCycle;
}

export interface TimerCycle {
  /** The cycle as written in the BPMN model: a repeating interval or a cron expression. */
  readonly text: string;
  /** Number of remaining repetitions after this one; `null`: unlimited. */
  readonly left: number | null;
}

export interface ConditionWait extends EventWait {
  readonly kind: 'condition';
  /** Whether the condition was true at the last check. */
  readonly holds?: true;
}

/** A call activity's wait for its child run. */
export interface ChildWait {
  readonly kind: 'child';
  readonly childRunId: string;
  readonly workflowId: string;
}

/**
 * A wait for an approval. Its subject is not stored: it is rebuilt from the state whenever it is needed, and its digest
 * is compared.
 */
export interface ApprovalWait {
  readonly kind: 'approval';
  readonly approval: PendingApproval;
  /** The agent call that needs approval. */
  readonly callId?: string;
}

export interface PendingApproval {
  readonly approvalId: string;
  readonly title: string;
  readonly description: string | null;
  readonly round: number;
  readonly previousApprovalId: string | null;
  /** Milliseconds since the epoch, as all times here. */
  readonly requestedAt: number;
  readonly dueAt: number | null;
  readonly candidateUsers: readonly string[];
  readonly candidateGroups: readonly string[];
  /** Delegations of the approval, and substitutions under which votes were cast. */
  readonly delegations: readonly Delegation[];
  readonly quorum: number;
  readonly priority: number;
  readonly separationOfDuties: 'off' | 'on' | 'distinct';
  /** Ids of the people who reassigned the approval without being candidates. They cannot make themselves approvers. */
  readonly assignedBy?: readonly string[];
  readonly riskLevel: RiskLevel;
  readonly riskFactors: readonly RiskFactor[];
  readonly rationale: string;
  readonly votes: readonly ApprovalVote[];
  readonly digest: string;
  /**
   * Names of the variables in the subject, if no mapping defines it. Undefined, as in older states: all visible
   * variables.
   */
  readonly subjectNames?: readonly string[];
  /** Whether only signed votes count. Undefined, as in older states: all votes count. */
  readonly requireSignature?: boolean;
  /** Whether a vote must contain the digest of the subject (`expectedDigest`). Undefined: optional. */
  readonly requireDigest?: boolean;
}

export interface Delegation {
  readonly from: string;
  /** The candidate users that refer to `from`, other than by id. */
  readonly fromNames?: readonly string[];
  /** Id or user name. */
  readonly to: string;
  readonly until: number | null;
  /** The vote that was cast in place of `from`. A candidate has one vote, cast by themselves or by another person. */
  readonly voteId?: string;
  /** The absence of `from` under which the vote was cast; undefined: `from` delegated this approval. */
  readonly absenceId?: string;
}

export interface ApprovalVote {
  readonly voteId: string;
  readonly decision: ApprovalDecision;
  readonly comment: string | null;
  /** Id of the principal. */
  readonly by: string;
  readonly byName: string | null;
  /**
   * The candidate users that refer, other than by id, to the voter or to the person in whose place the vote was cast.
   */
  readonly askedAs?: readonly string[];
  readonly at: number;
  readonly digest: string;
  readonly signature?: RecordedSignature;
  /** As reported by the voter's client; undefined: not reported. */
  readonly shown?: readonly ShownEvidence[];
  /** Set if the vote no longer counted when a later vote was cast (`findUncountedVotes`). */
  readonly counts?: false;
}

/** A piece of evidence that was displayed to a voter. */
export interface ShownEvidence {
  readonly name: string;
  readonly sha256: string;
  /** Percentage of the content, from its beginning, that was in view: 0 to 100. */
  readonly percent: number;
  /** Whether the person downloaded the file. */
  readonly downloaded: boolean;
}

/** The signed statement of a vote as a compact JWS, and its key. */
export interface RecordedSignature {
  readonly keyId: string;
  readonly jws: string;
}

export const APPROVAL_DECISIONS = Object.freeze(['approve', 'reject', 'request_changes'] as const);
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

export const APPROVAL_STATUSES = Object.freeze([
  'pending',
  'approved',
  'rejected',
  'changes_requested',
  'withdrawn',
  'expired',
] as const);
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** The content being approved. Its digest is SHA-256 over its RFC 8785 form. */
export type ApprovalSubject = UserTaskSubject | ToolCallSubject;

/** A tool call that an agent proposes: exactly this call is executed, or none. */
export interface ToolCallSubject extends Pick<
  AgentCall,
  'callId' | 'tool' | 'toolDigest' | 'effect' | 'reversible' | 'hosts' | 'taint'
> {
  readonly kind: 'tool_call';
  readonly runId: string;
  readonly elementId: string;
  /** The arguments of the call. */
  readonly inputs: JsonObject;
  readonly agent: { readonly name: string; readonly definitionDigest: string };
  readonly evidence: readonly PinnedArtifact[];
  /** Id of the person who changed the arguments; `null`: they come from the agent. */
  readonly editedBy: string | null;
  readonly policy: { readonly id: string; readonly digest: string };
  readonly definition: { readonly workflowId: string; readonly workflowVersion: number; readonly digest: string };
}

export interface UserTaskSubject {
  readonly kind: 'user_task';
  readonly runId: string;
  readonly elementId: string;
  readonly inputs: JsonObject;
  /** The evaluated `approval.title` of the BPMN model. */
  readonly title?: string;
  /** The evaluated `approval.summary` of the BPMN model. */
  readonly summary?: string;
  /** The evaluated `approval.fields` of the BPMN model. */
  readonly fields?: readonly SubjectField[];
  readonly evidence: readonly {
    readonly name: string;
    readonly version: number | null;
    readonly sha256: string | null;
  }[];
  readonly definition: { readonly workflowId: string; readonly workflowVersion: number; readonly digest: string };
}
