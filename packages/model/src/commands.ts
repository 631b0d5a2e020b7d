import type { AgentTurn, CallResult, DiscardedResponse, ProposedCall } from './agent.js';
import type { Json, JsonObject } from './json.js';
import type { Taints } from './taint.js';
import type { Absence } from './absence.js';
import type { Actor } from './principal.js';
import type { PersonalDataScope } from './personal-data-scope.js';
import type { RunErasure } from './run-erasure.js';
import type { ApprovalDecision, ParentRun, ShownEvidence } from './run-state.js';
import type { VoteSignature } from './signed-vote.js';

/** What happened, or what somebody wants of a run. The `actor` is who is answerable for it. */
export type Command =
  | StartCommand
  | CompleteJobCommand
  | FailJobCommand
  | ThrowJobErrorCommand
  | RecordTurnCommand
  | RecordCallCommand
  | ReproposeCallCommand
  | LoseCallCommand
  | AnswerCommand
  | VoteCommand
  | DelegateCommand
  | ReassignCommand
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
  /** Of a child run: what of its inputs no person vouches for. */
  readonly inputTaints?: Taints;
  /** Ids of people in other runs who are behind its data. */
  readonly contributors?: readonly string[];
  /** The event that starts the run; absent: its none start event. */
  readonly startEvent?: StartingEvent;
  /** The run whose call activity starts this one. */
  readonly parent?: ParentRun;
}

/** What has happened outside, and what it came with. */
export interface StartingEvent {
  /** A start event, a receive task that starts runs, or an event behind an event-based gateway that does. */
  readonly elementId: string;
  /** Which of the event's triggers it was, from 0. */
  readonly trigger: number;
  readonly payload: JsonObject;
  /** Of what another run threw; absent: from outside, where nobody vouches for any of it. */
  readonly taints?: Taints;
  /** Of a message that has one. */
  readonly correlationKey?: string;
}

export interface CompleteJobCommand {
  readonly type: 'job.complete';
  readonly actor: Actor;
  readonly jobId: string;
  readonly output: JsonObject;
  /** The agent that did the work, where one did. */
  readonly agentName: string | null;
}

export interface FailJobCommand {
  readonly type: 'job.fail';
  readonly actor: Actor;
  readonly jobId: string;
  readonly code: string;
  readonly message: string;
  /** Whether another attempt may help. A terminal failure is an incident at once. */
  readonly retryable: boolean;
  /** How long to wait at least before the next attempt, in ms (for example a `Retry-After`). */
  readonly retryAfterMs?: number;
  /** Turns of agents: responses of the model that came to nothing in this attempt. */
  readonly discarded?: readonly DiscardedResponse[];
}

/** The work met what the model calls an error: a boundary event or an event sub-process may catch it. */
export interface ThrowJobErrorCommand {
  readonly type: 'job.error';
  readonly actor: Actor;
  readonly jobId: string;
  readonly errorCode: string;
  readonly message: string;
  readonly variables: JsonObject;
}

/** An agent's model has answered. */
export interface RecordTurnCommand {
  readonly type: 'agent.turn';
  readonly actor: Actor;
  readonly jobId: string;
  readonly turn: AgentTurn;
}

/** A call of an agent was made. */
export interface RecordCallCommand {
  readonly type: 'agent.call';
  readonly actor: Actor;
  readonly jobId: string;
  readonly result: CallResult;
}

/** The tool has changed since the call was decided on: it is decided again. */
export interface ReproposeCallCommand {
  readonly type: 'agent.repropose';
  readonly actor: Actor;
  readonly jobId: string;
  readonly call: ProposedCall;
}

/** Nobody knows whether a call was made, and it must not be made twice: a person is asked. */
export interface LoseCallCommand {
  readonly type: 'agent.lose';
  readonly actor: Actor;
  readonly jobId: string;
  readonly message: string;
}

/** A person answers a question of the run. The answer was checked against its options and its schema. */
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
  /** Approves a call of a tool with other arguments: checked and normalised against the tool, whose facts they may change. */
  readonly edited?: ProposedCall;
  /** What was found of the signature that came with it. */
  readonly signature?: VoteSignature;
  /** The evidence that was shown to the actor; absent: nothing was reported. */
  readonly shown?: readonly ShownEvidence[];
  /** Absences in which the actor is the substitute, as far as they are in force now (by the clock of the database). */
  readonly absences?: readonly Absence[];
  /** Ids of people who had a hand in the data of a run that called this one or was called by it, of which this run has yet to be told. */
  readonly contributorsUnderWay?: readonly string[];
  /** Earlier votes that did not count when this one was cast. Only replays give them: otherwise the separation of duties says. */
  readonly notCounted?: readonly string[];
  /** Id of the person whose place was taken with this vote. Only replays give it: otherwise the rules choose the place. */
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

export interface CorrelateCommand {
  readonly type: 'message.correlate';
  readonly actor: Actor;
  readonly subscriptionId: string;
  readonly payload: JsonObject;
  /** As {@link StartingEvent.taints}. */
  readonly taints?: Taints;
  /** Ids of the people behind the payload. */
  readonly contributors?: readonly string[];
}

export interface ReceiveSignalCommand {
  readonly type: 'signal.receive';
  readonly actor: Actor;
  readonly subscriptionId: string;
  readonly payload: JsonObject;
  /** As {@link StartingEvent.taints}. */
  readonly taints?: Taints;
  /** Ids of the people behind the payload. */
  readonly contributors?: readonly string[];
}

/** What a child run tells the run whose call activity started it. */
export interface ReportChildCommand {
  readonly type: 'child.report';
  readonly actor: Actor;
  readonly childRunId: string;
  readonly report: ChildReport;
}

/** `contributors`: ids of the people behind the variables. */
export type ChildReport = { readonly contributors?: readonly string[] } & (
  | { readonly kind: 'completed'; readonly variables: JsonObject; readonly taints?: Taints }
  /** An error or an escalation that nothing in the child catches. After an error the child has ended. */
  | {
      readonly kind: 'error';
      readonly code: string;
      readonly message: string;
      readonly variables: JsonObject;
      readonly taints?: Taints;
    }
  | { readonly kind: 'escalation'; readonly code: string; readonly variables: JsonObject; readonly taints?: Taints }
  /** It could not be started, or was ended otherwise (cancelled, rejected). */
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
);

export interface FireTimerCommand {
  readonly type: 'timer.fire';
  readonly actor: Actor;
  readonly timerId: string;
}

/** People had a hand in the data of a run that this one has called, or that called it. */
export interface AddContributorsCommand {
  readonly type: 'contributors.add';
  readonly actor: Actor;
  /** The called run of the two: the one that tells, or this one, whose caller tells. Replays leave it out. */
  readonly childRunId?: string;
  /** Their ids. */
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
  /** Whom it is about; `null`: all people and payloads. */
  readonly personId: string | null;
  /** `seq` of the state that the erasure was worked out on. The command is refused where the run has gone on since. */
  readonly expectedSeq: number;
  readonly erasure: RunErasure;
  /** The new names of artifacts, by those that they have. */
  readonly artifactNames: Readonly<Record<string, string>>;
  /** Decisions within variables that no event tells of afterwards (`decisionsIn`): who took them goes as well. */
  readonly decisions: readonly string[];
}

/** Moves the run to another version of its workflow, whose graph is `AdvanceContext.target`. */
export interface MigrateCommand {
  readonly type: 'migrate';
  readonly actor: Actor;
  readonly workflowVersion: number;
  readonly workflowDigest: string;
  /** Element ids of the version that the run is on, each with that of its counterpart. */
  readonly mapping: Readonly<Record<string, string>>;
  readonly comment: string | null;
}
