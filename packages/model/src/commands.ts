import type { AgentTurn, CallResult, DiscardedResponse, ProposedCall } from './agent.js';
import type { Json, JsonObject } from './json.js';
import type { Taints } from './taint.js';
import type { Absence } from './absence.js';
import type { CommentedLine } from './approval-comment.js';
import type { Actor } from './principal.js';
import type { PersonalDataScope } from './personal-data-scope.js';
import type { RunErasure } from './run-erasure.js';
import type { ApprovalDecision, ParentRun, ShownEvidence } from './run-state.js';
import type { VoteSignature } from './signed-vote.js';

/** An event or a request that `advance()` applies to a run. The `actor` is responsible for it. */
export type Command =
  | StartCommand
  | CompleteJobCommand
  | FailJobCommand
  | ThrowJobErrorCommand
  | RecordTurnCommand
  | RecordCallCommand
  | ReproposeCallCommand
  | RecordUnknownOutcomeCommand
  | AnswerCommand
  | VoteCommand
  | DelegateCommand
  | ReassignCommand
  | CommentCommand
  | CorrelateCommand
  | ReceiveSignalCommand
  | FireTimerCommand
  | ReportChildCommand
  | AddContributorsCommand
  | RecordArtifactCommand
  | CancelCommand
  | RecoverCommand
  | ErasePersonalDataCommand
  | MigrateCommand;

export interface StartCommand {
  readonly type: 'start';
  readonly actor: Actor;
  readonly runId: string;
  readonly workflowVersion: number;
  readonly workflowDigest: string;
  readonly businessKey: string | null;
  readonly inputs: JsonObject;
  /** Child runs: the tainted inputs with the sources of their taint. */
  readonly inputTaints?: Taints;
  /** Ids of people in other runs who contributed to the data. */
  readonly contributors?: readonly string[];
  /** The event that starts the run; undefined: its none start event. */
  readonly startEvent?: StartingEvent;
  /** The run whose call activity starts this one. */
  readonly parent?: ParentRun;
}

/** An external event that starts a run, with its payload. */
export interface StartingEvent {
  /** A start event, a receive task that starts runs, or an event after an event-based gateway that starts runs. */
  readonly elementId: string;
  /** Index of the event's trigger that fired, from 0. */
  readonly trigger: number;
  readonly payload: JsonObject;
  /** Taints of a payload that another run threw; undefined: the payload is from outside, so all of it is untrusted. */
  readonly taints?: Taints;
  /** The correlation key of a message, if it has one. */
  readonly correlationKey?: string;
}

export interface CompleteJobCommand {
  readonly type: 'job.complete';
  readonly actor: Actor;
  readonly jobId: string;
  readonly output: JsonObject;
  /** The agent that did the work, if any. */
  readonly agentName: string | null;
}

export interface FailJobCommand {
  readonly type: 'job.fail';
  readonly actor: Actor;
  readonly jobId: string;
  readonly code: string;
  readonly message: string;
  /** Whether another attempt may succeed. Any other failure becomes an incident immediately. */
  readonly retryable: boolean;
  /** Minimum delay before the next attempt, in ms (for example a `Retry-After`). */
  readonly retryAfterMs?: number;
  /** Agent turns: unusable responses of the model in this attempt. */
  readonly discarded?: readonly DiscardedResponse[];
}

/** The job threw a BPMN error, which a boundary event or an event sub-process may catch. */
export interface ThrowJobErrorCommand {
  readonly type: 'job.error';
  readonly actor: Actor;
  readonly jobId: string;
  readonly errorCode: string;
  readonly message: string;
  readonly variables: JsonObject;
}

/** The model of an agent has responded. */
export interface RecordTurnCommand {
  readonly type: 'agent.turn';
  readonly actor: Actor;
  readonly jobId: string;
  readonly turn: AgentTurn;
}

/** A call of an agent was executed. */
export interface RecordCallCommand {
  readonly type: 'agent.call';
  readonly actor: Actor;
  readonly jobId: string;
  readonly result: CallResult;
}

/** The tool has changed since the call was assessed: the call is assessed again. */
export interface ReproposeCallCommand {
  readonly type: 'agent.repropose';
  readonly actor: Actor;
  readonly jobId: string;
  readonly call: ProposedCall;
}

/**
 * It is unknown whether a call was executed, and it must not run twice: a person is asked. The type is part of stored
 * audit events.
 */
export interface RecordUnknownOutcomeCommand {
  readonly type: 'agent.lose';
  readonly actor: Actor;
  readonly jobId: string;
  readonly message: string;
}

/** A person answers a question of the run. The answer has been validated against the question's options and schema. */
export interface AnswerCommand {
  readonly type: 'question.answer';
  readonly actor: Actor;
  readonly questionId: string;
  readonly answer: Json;
}

export interface VoteCommand {
  readonly type: 'approval.vote';
  readonly actor: Actor;
  readonly approvalId: string;
  readonly decision: ApprovalDecision;
  readonly comment: string | null;
  readonly expectedDigest: string | null;
  readonly expectedRound: number | null;
  /**
   * Approves a tool call with other arguments. The tool has checked and normalized them; they may change the facts
   * about the call, such as its hosts.
   */
  readonly edited?: ProposedCall;
  /** The result of the check of the vote's signature. */
  readonly signature?: VoteSignature;
  /** The evidence that was displayed to the actor; undefined: nothing was reported. */
  readonly shown?: readonly ShownEvidence[];
  /** Absences in which the actor is the substitute and that are in force now (by the clock of the database). */
  readonly absences?: readonly Absence[];
  /**
   * Ids of people who contributed to the data of the parent run or of a child run, but whose ids this run has not
   * received yet.
   */
  readonly pendingContributors?: readonly string[];
  /**
   * Earlier votes that did not count when this vote was cast. Set only in replays: otherwise the separation of duties
   * determines them.
   */
  readonly notCounted?: readonly string[];
  /**
   * Id of the person in whose place the vote was cast. Set only in replays: otherwise the approval rules determine this
   * person.
   */
  readonly inPlaceOf?: string;
}

export interface DelegateCommand {
  readonly type: 'approval.delegate';
  readonly actor: Actor;
  readonly approvalId: string;
  readonly to: string;
  /** Milliseconds since the epoch. */
  readonly until: number | null;
}

export interface ReassignCommand {
  readonly type: 'approval.reassign';
  readonly actor: Actor;
  readonly approvalId: string;
  readonly candidateUsers: readonly string[];
  readonly candidateGroups: readonly string[];
  readonly comment: string | null;
}

/**
 * A person comments on an approval, which may be resolved. The approval has been read from the storage, because the
 * state has only pending approvals; these members of an approval never change.
 */
export interface CommentCommand {
  readonly type: 'approval.comment';
  readonly actor: Actor;
  readonly commentId: string;
  readonly approvalId: string;
  readonly round: number;
  readonly stepId: string;
  readonly elementId: string;
  /** Digest of the subject. */
  readonly digest: string;
  readonly text: string;
  /** The comment that this one replies to. It belongs to the same approval or to an earlier round of it. */
  readonly replyTo?: string;
  readonly line?: CommentedLine;
}

export interface CorrelateCommand {
  readonly type: 'message.correlate';
  readonly actor: Actor;
  readonly subscriptionId: string;
  readonly payload: JsonObject;
  /** See {@link StartingEvent.taints}. */
  readonly taints?: Taints;
  /** Ids of the people who contributed to the payload. */
  readonly contributors?: readonly string[];
}

export interface ReceiveSignalCommand {
  readonly type: 'signal.receive';
  readonly actor: Actor;
  readonly subscriptionId: string;
  readonly payload: JsonObject;
  /** See {@link StartingEvent.taints}. */
  readonly taints?: Taints;
  /** Ids of the people who contributed to the payload. */
  readonly contributors?: readonly string[];
}

/** A report of a child run to the run whose call activity started it. */
export interface ReportChildCommand {
  readonly type: 'child.report';
  readonly actor: Actor;
  readonly childRunId: string;
  readonly report: ChildReport;
}

/** `contributors`: ids of the people who contributed to the variables. */
export type ChildReport = { readonly contributors?: readonly string[] } & (
  | { readonly kind: 'completed'; readonly variables: JsonObject; readonly taints?: Taints }
  /** An error or an escalation that the child run does not catch. After an error, the child run has ended. */
  | {
      readonly kind: 'error';
      readonly code: string;
      readonly message: string;
      readonly variables: JsonObject;
      readonly taints?: Taints;
    }
  | { readonly kind: 'escalation'; readonly code: string; readonly variables: JsonObject; readonly taints?: Taints }
  /** The child run could not be started, or it ended in another way (cancelled, rejected). */
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
);

export interface FireTimerCommand {
  readonly type: 'timer.fire';
  readonly actor: Actor;
  readonly timerId: string;
}

/** Reports people who contributed to the data of a child run or of the parent run. */
export interface AddContributorsCommand {
  readonly type: 'contributors.add';
  readonly actor: Actor;
  /** Id of the child run: the sender, or this run if its parent run is the sender. Undefined in replays. */
  readonly childRunId?: string;
  /** Ids of the contributors. */
  readonly contributors: readonly string[];
}

export interface RecordArtifactCommand {
  readonly type: 'artifact.record';
  readonly actor: Actor;
  readonly artifactId: string;
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly contentType: string;
}

export interface CancelCommand {
  readonly type: 'cancel';
  readonly actor: Actor;
  readonly reason: string | null;
}

export interface RecoverCommand {
  readonly type: 'recover';
  readonly actor: Actor;
  /** Step ids; `null`: all failed steps. */
  readonly steps: readonly string[] | null;
  readonly variables: JsonObject | null;
  readonly comment: string | null;
}

/** Erases personal data of a run that has ended. */
export interface ErasePersonalDataCommand {
  readonly type: 'personal_data.erase';
  readonly actor: Actor;
  readonly reason: string;
  readonly scope: PersonalDataScope;
  /** The person whose data is erased; `null`: all people and payloads. */
  readonly personId: string | null;
  /** `seq` of the state that the erasure was computed from. The command is refused if the run has advanced since. */
  readonly expectedSeq: number;
  readonly erasure: RunErasure;
  /** New names of artifacts, by their current names. */
  readonly artifactNames: Readonly<Record<string, string>>;
  /**
   * Approval decisions in variables (`findDecisions`) that no event records after the erasure. Their deciders are
   * erased as well.
   */
  readonly decisions: readonly string[];
}

/** Moves the run to another version of its workflow, whose graph is `AdvanceContext.target`. */
export interface MigrateCommand {
  readonly type: 'migrate';
  readonly actor: Actor;
  readonly workflowVersion: number;
  readonly workflowDigest: string;
  /** Element ids of the current version, each with the id of its counterpart in the target version. */
  readonly mapping: Readonly<Record<string, string>>;
  readonly comment: string | null;
}
