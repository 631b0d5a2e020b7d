import type { AgentCall, AgentState, AgentUsage, PendingQuestion, PinnedArtifact } from './agent.js';
import type { Json, JsonObject } from './json.js';
import type { Taints } from './taint.js';
import type { RiskFactor, RiskLevel, ToolConstraints } from './policy.js';

export const RUN_OUTCOMES = Object.freeze(['completed', 'failed', 'cancelled', 'rejected'] as const);
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

export const RUN_STATUSES = Object.freeze(['active', 'blocked', 'completed', 'failed'] as const);
export type RunStatus = (typeof RUN_STATUSES)[number];

/**
 * All that a run is between two commands. Plain JSON: it is stored as it stands.
 *
 * The shape is Zeebe's: a tree of element instances below one for the process. An instance of a scope holds variables
 * and the tokens that wait at its joins; every instance may hold any number of waits (a job, an approval,
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
  /** The correlation key of the message that started it. While the run is active, no other message with it starts one. */
  readonly startKey?: string;
  /** Id of the principal that started it. */
  readonly startedBy: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly updatedAt: number;
  readonly completedAt: number | null;
  readonly outcome: RunOutcome | null;
  readonly error: RunError | null;
  /** While a cancelled run compensates what it had completed. */
  readonly cancelling?: true;
  /** Number of the last run event. */
  readonly seq: number;
  /** Counter behind instance keys and ids; never goes back. */
  readonly counter: number;
  /** Counter of steps entered. */
  readonly entered: number;
  /** Element instances by key; the process's own is `root`. */
  readonly instances: Readonly<Record<string, ElementInstance>>;
  readonly root: number;
  /** Newest version of each artifact. */
  readonly artifacts: Readonly<Record<string, ArtifactReference>>;
  /** Risk of the last step of each task element that was not superseded by rework. */
  readonly risks: readonly StepRisk[];
  /** Present where no person started it, so that an id that a person has too excludes nobody. */
  readonly startedByService?: true;
  /** Ids of the people who had a hand in its data, also in runs that the data came from (`addContributors`). */
  readonly editors: readonly string[];
  /** Ids of those who deployed what it used besides the version that it is on: versions that it left, and DMN decisions. */
  readonly deployers?: readonly string[];
  /** Ids of the people who took part in a decision of this run. */
  readonly deciders: readonly string[];
  /** Those of them whose decision the separation of duties held for: they do not edit afterwards what they decided on. */
  readonly separatedDeciders?: readonly string[];
  /** Whether any of its variables ever held what no person vouches for. */
  readonly tainted?: true;
  /** Salts of the digests of the people whom its events name, by type and id of the person. The engine keeps them. */
  readonly personSalts?: Readonly<Record<string, string>>;
  /** `seq` of the last event that erased personal data, so that nothing that was read before it is shown from memory. */
  readonly erasedAt?: number;
}

export interface ParentRun {
  readonly runId: string;
  /** The run that nobody has called, from which this one comes over one call or several. */
  readonly rootRunId: string;
  /** How many call activities stand above this run, 1 for a child. */
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
  /** Ids of those who uploaded the versions before it. */
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
  /** Key of the scope's instance; `null` for the process. */
  readonly parent: number | null;
  readonly enteredSeq: number;
  /** Milliseconds since the epoch. */
  readonly enteredAt: number;
  /** 1 for the first time that the element is entered in its scope. */
  readonly iteration: number;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Variables of this scope, local ones of an activity included. */
  readonly variables?: JsonObject;
  /** Scopes: tokens that wait at joins, by gateway and flow. */
  readonly joins?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Scopes: how often each element was entered. */
  readonly iterations?: Readonly<Record<string, number>>;
  /** Scopes: the last approval of a user task that has to be asked again, so that the next one is the next round. */
  readonly rounds?: Readonly<Record<string, ApprovalRound>>;
  readonly waits?: readonly Wait[];
  readonly incident?: Incident;
  /** What an agent has done in this step so far. */
  readonly agent?: AgentState;
  /** In front of its first turn: what responses have used that came to nothing. Its definition may still change. */
  readonly discardedUsage?: AgentUsage;
  /** Where its work goes to, as the policy was asked: it must go nowhere else. Absent where nobody says. */
  readonly decidedHosts?: readonly string[];
  /** The ports that it uses there, as the policy was asked. Absent in steps that were decided on before ADR 140. */
  readonly decidedPorts?: readonly number[];
  /** Agents: which tools the policy leaves to this step, where it says anything of that. */
  readonly toolConstraints?: ToolConstraints;
  /** Variables of this scope that hold what no person vouches for. */
  readonly taints?: Taints;
  /** With an incident: the same of its `result`. */
  readonly resultTaints?: Taints;
  /** The instance that holds the turns of a loop, each of which is an instance of the same element below it. */
  readonly loop?: LoopState;
  /** Turns of a loop: counted from 1. */
  readonly loopCounter?: number;
  /** Scopes: what could be compensated, in the order of its completion. */
  readonly compensations?: readonly Compensation[];
  /** What a throw event that compensates, or a scope that is cancelled, still waits for. */
  readonly compensating?: CompensationProgress;
  /** Handlers: the throw event (or the cancelled scope) that waits for it. */
  readonly compensates?: number;
  /** Handlers: the step that they undo. */
  readonly undoes?: UndoneStep;
  /** Scopes: complex gateways that have fired and wait for the rest of their tokens, with the flows that they took. */
  readonly resets?: Readonly<Record<string, readonly string[]>>;
}

export interface LoopState {
  /** Items of the input collection, or `null` where only their number is known. */
  readonly items: readonly Json[] | null;
  /** Where the items come from that no person vouches for. */
  readonly taint?: readonly string[];
  /** Turns in all; `null` where a condition decides. */
  readonly count: number | null;
  /** Turns begun and turns completed. */
  readonly begun: number;
  readonly completed: number;
}

export interface UndoneStep {
  readonly stepId: string;
  readonly elementId: string;
}

/** An activity that was completed and has a handler, or a completed sub-process with such activities in it. */
export interface Compensation extends UndoneStep {
  readonly handler: string | null;
  /** Number of the last run event when it was completed: handlers run in the reverse order. */
  readonly seq: number;
  /** Local variables of a completed sub-process, which its handlers see (BPMN 2.0, 10.7: a snapshot). */
  readonly variables?: JsonObject;
  readonly taints?: Taints;
  readonly inner?: readonly Compensation[];
  /** The parallel multi-instance activity that this is a turn of: turns that don't depend on each other are undone at once. */
  readonly turnOf?: number;
}

export interface CompensationProgress {
  /** What is still to be begun, last completed first. */
  readonly queue: readonly QueuedCompensation[];
  /** Handlers under way. */
  readonly active: number;
  /** What happens when all is done: the throw event is left, its scope is looked at, the cancelled transaction ends by its boundary event, the run is cancelled. */
  readonly then: 'leave' | 'settle' | 'cancelTransaction' | 'cancelRun';
}

/** What undoes a step. */
export interface QueuedCompensation extends UndoneStep {
  readonly handler: string;
  /** Variables of the sub-processes around the activity that are no more, the innermost ones winning. */
  readonly variables: JsonObject;
  readonly taints?: Taints;
  readonly seq: number;
  /** What a compensation event sub-process may undo in its turn. */
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
  /** What a recovery repeats: entering the element, doing its job, looking at what is in it, or leaving it. */
  readonly phase: 'enter' | 'job' | 'settle' | 'leave';
  /** The result that a job had given, where the incident arose on leaving; what came with an event, on entering. */
  readonly result?: JsonObject;
}

export type Wait =
  JobWait | ApprovalWait | QuestionWait | MessageWait | SignalWait | TimerWait | ConditionWait | ChildWait;

export interface JobWait {
  readonly kind: 'job';
  readonly jobId: string;
  readonly jobType: string;
  /** Attempts that are left, this one included. */
  readonly retries: number;
  /** While it waits to be tried again: milliseconds since the epoch. */
  readonly backoffUntil?: number;
  /** The call of an agent that it makes; absent: a turn, or work that is no agent's. */
  readonly callId?: string;
  /** Of a call, 1 for the first. Steps count theirs for all their jobs. */
  readonly attempt?: number;
}

/** An agent, or the runtime, has asked people something. */
export interface QuestionWait {
  readonly kind: 'question';
  readonly question: PendingQuestion;
}

/** What waits of events have in common. */
export interface EventWait {
  /**
   * The event: the instance's own element, a boundary event of it, an event behind an event-based gateway, or the start
   * event of an event sub-process in it.
   */
  readonly elementId: string;
  /** Which of the event's triggers it is, where it has several. */
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
  /** What it is for: the element's own timer or the end of an approval's patience. */
  readonly purpose: 'event' | 'approval' | 'question';
  /** Of a question. */
  readonly questionId?: string;
  readonly dueAt: number;
  /** Cycles: what follows after this time. */
  readonly cycle?: TimerCycle;
}

export interface TimerCycle {
  /** As the model gives it: a repeating interval, or cron. */
  readonly text: string;
  /** Times that are left after this one; `null`: without end. */
  readonly left: number | null;
}

export interface ConditionWait extends EventWait {
  readonly kind: 'condition';
  /** Whether it was true when it was looked at last. */
  readonly holds?: true;
}

/** A call activity waits for its child run. */
export interface ChildWait {
  readonly kind: 'child';
  readonly childRunId: string;
  readonly workflowId: string;
}

/** A pending approval. Its subject is not kept: it is made again from the state whenever it is needed, and compared. */
export interface ApprovalWait {
  readonly kind: 'approval';
  readonly approval: PendingApproval;
  /** The call of an agent that is to be approved. */
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
  /** Who may decide in the place of whom, until when. */
  readonly delegations: readonly Delegation[];
  readonly quorum: number;
  readonly priority: number;
  readonly separationOfDuties: 'off' | 'on' | 'distinct';
  /** Ids of those who reassigned it without having been asked before: they do not choose themselves. */
  readonly assignedBy?: readonly string[];
  readonly riskLevel: RiskLevel;
  readonly riskFactors: readonly RiskFactor[];
  readonly rationale: string;
  readonly votes: readonly ApprovalVote[];
  readonly digest: string;
  /**
   * Names of the variables that the subject consists of, where no mapping says which. Absent, as in states from before there
   * was such a list: all that are visible.
   */
  readonly subjectNames?: readonly string[];
  /** Only signed votes count. Absent, as in states from before there were such: all do. */
  readonly requireSignature?: boolean;
  /** A decision must say which subject it is about (`expectedDigest`). Absent: it may. */
  readonly requireDigest?: boolean;
}

export interface Delegation {
  readonly from: string;
  /** The candidate users that `from` is, other than by id. */
  readonly fromNames?: readonly string[];
  /** Id or user name. */
  readonly to: string;
  readonly until: number | null;
  /** The vote that was cast in the place of `from`. Whoever is asked has one vote, cast by themselves or by another. */
  readonly voteId?: string;
  /** The absence of `from` in which it was cast; absent: `from` has delegated this approval. */
  readonly absenceId?: string;
}

export interface ApprovalVote {
  readonly voteId: string;
  readonly decision: ApprovalDecision;
  readonly comment: string | null;
  /** Id of the principal. */
  readonly by: string;
  readonly byName: string | null;
  /** The candidate users that the voter is, or the person in whose place it was cast; other than by id. */
  readonly askedAs?: readonly string[];
  readonly at: number;
  readonly digest: string;
  readonly signature?: RecordedSignature;
  /** As the voter's client reported it; absent: it reported nothing. */
  readonly shown?: readonly ShownEvidence[];
  /** When a later vote was cast, this one did not count any more (`votesNotCounted`). */
  readonly counts?: false;
}

/** A piece of evidence that was shown to a voter. */
export interface ShownEvidence {
  readonly name: string;
  readonly sha256: string;
  /** How much of it was in view, from its beginning: 0 to 100. */
  readonly percent: number;
  /** Whether the person took the file. */
  readonly downloaded: boolean;
}

/** The statement that a vote is signed with, as a compact JWS, and the key. */
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

/** What is being approved. Its digest is SHA-256 over its RFC 8785 form. */
export type ApprovalSubject = UserTaskSubject | ToolCallSubject;

/** A call of a tool that an agent proposes: exactly this is executed, or nothing. */
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
  /** Id of the person who changed the arguments; `null`: they are the agent's. */
  readonly editedBy: string | null;
  readonly policy: { readonly id: string; readonly digest: string };
  readonly definition: { readonly workflowId: string; readonly workflowVersion: number; readonly digest: string };
}

export interface UserTaskSubject {
  readonly kind: 'user_task';
  readonly runId: string;
  readonly elementId: string;
  readonly inputs: JsonObject;
  readonly evidence: readonly {
    readonly name: string;
    readonly version: number | null;
    readonly sha256: string | null;
  }[];
  readonly definition: { readonly workflowId: string; readonly workflowVersion: number; readonly digest: string };
}
