import type { AgentEvents } from './agent-events.js';
import type { Json, JsonObject } from './json.js';
import type { PersonalDataScope } from './personal-data-scope.js';
import type { RiskLevel } from './policy.js';
import type { RecordedActor } from './principal.js';
import type { CommentedLine } from './approval-comment.js';
import type { ApprovalDecision, ApprovalStatus, Incident, PendingApproval } from './run-state.js';

/**
 * @template Data structure, hashed unchanged
 * @template Private hashed as a salted commitment, so that it can be erased
 */
interface EventParts<Data, Private = null> {
  readonly data: Data;
  readonly private: Private;
}

type EmptyData = Readonly<Record<string, never>>;

interface WithActor {
  /** The person or system that acted. */
  readonly actor: RecordedActor;
}

interface WithContributors {
  /** Ids of the people who contributed to the data of the event. */
  readonly contributors?: readonly string[];
}

interface WithDeployer {
  /** Id of the person who deployed the version or the DMN decision. */
  readonly deployedBy?: string;
}

/** The identity of a step, recorded in the first event that concerns it. */
export interface StepIdentity {
  readonly name: string | null;
  /** The BPMN type of the element. */
  readonly type: string;
  /** Number of the run event with which the step was entered. */
  readonly enteredSeq: number;
  /** How often the element was entered in its scope, counted from 1. */
  readonly iteration: number;
}

/** The start of a step, as recorded in its first event. */
export interface StepStart extends StepIdentity {
  readonly attempt: number;
  readonly agentName: string | null;
  /** The sequence flow on which the token arrived. */
  readonly via: string | null;
  /** Position of a loop instance, counted from 1. */
  readonly loopCounter?: number;
  readonly policyDecision?: JsonObject;
}

interface WithApproval {
  readonly approvalId: string;
  readonly round: number;
}

interface ElementMove {
  readonly from: string;
  readonly to: string;
}

interface AwaitedEvent {
  readonly elementId: string;
  readonly kind: string;
}

interface CaughtEvent {
  readonly code: string;
  /** Id of the element that threw it. */
  readonly thrownBy: string;
}

interface DecisionVersion {
  readonly decisionId: string;
  readonly version: number;
  readonly digest: string;
}

interface AwaitedMessage {
  readonly subscriptionId: string;
  readonly messageName: string;
}

/**
 * Every type of run event with its data. The interpreter emits no other types, and the API lists these types. Recorded
 * histories never change: new members are optional, and no member is removed or changes its meaning.
 */
export interface RunEventMap extends AgentEvents {
  'run.started': EventParts<
    {
      readonly runId: string;
      readonly workflowId: string;
      readonly workflowVersion: number;
      readonly workflowDigest: string;
    },
    WithActor &
      WithContributors &
      WithDeployer & {
        readonly inputs: JsonObject;
        readonly businessKey: string | null;
        /** The start event that triggered the run. */
        readonly startEvent?: { readonly elementId: string; readonly trigger: number; readonly payload: JsonObject };
      }
  >;
  'run.completed': EventParts<EmptyData>;
  'run.failed': EventParts<{ readonly code: string }>;
  'run.cancelled': EventParts<EmptyData>;
  'run.rejected': EventParts<EmptyData>;
  'run.cancel_requested': EventParts<EmptyData, WithActor & { readonly reason: string | null }>;
  'run.recovered': EventParts<
    {
      /** Ids of the retried steps. */
      readonly steps: readonly string[];
      /** Names of the changed variables. */
      readonly variableNames: readonly string[];
    },
    WithActor & { readonly comment: string | null; readonly variables: JsonObject | null }
  >;
  'run.migrated': EventParts<
    {
      readonly fromVersion: number;
      readonly fromDigest: string;
      readonly toVersion: number;
      readonly toDigest: string;
      readonly mapping: Readonly<Record<string, string>>;
      /** Elements of active steps, and their counterparts. */
      readonly moves: readonly ElementMove[];
      /** Events that the run no longer waits for. */
      readonly closed: readonly AwaitedEvent[];
      /** Events that the run waits for from now on. */
      readonly opened: readonly AwaitedEvent[];
      /** Ids of the elements whose jobs are offered again. */
      readonly restarted: readonly string[];
    },
    WithActor &
      WithDeployer & {
        readonly comment: string | null;
        /** Id of the person who deployed the version that the run left. */
        readonly leftDeployedBy?: string;
      }
  >;

  'step.started': EventParts<
    StepStart,
    {
      /** The parts of the policy request that are recorded nowhere else. */
      readonly asked: JsonObject;
    } | null
  >;
  'step.completed': EventParts<Partial<StepIdentity>, { readonly output: JsonObject } | null>;
  'step.failed': EventParts<
    Partial<StepIdentity> & {
      readonly code: string;
      /** The part of the step that a recovery repeats. */
      readonly phase: Incident['phase'];
      readonly retryable: boolean;
      readonly callId?: string;
    },
    { readonly message: string; readonly result?: JsonObject }
  >;
  'step.attempt_failed': EventParts<
    {
      readonly code: string;
      readonly callId?: string;
      readonly attempt: number;
      readonly retriesLeft: number;
      readonly nextAttemptAt: string;
    },
    { readonly message: string }
  >;
  'step.retried': EventParts<{ readonly phase: Incident['phase']; readonly attempt: number }>;
  'step.cancelled': EventParts<{ readonly reason: string }>;
  'step.migrated': EventParts<{
    /** Id of the previous element. */
    readonly from: string;
    readonly name: string | null;
    readonly policyDecision?: JsonObject;
  }>;
  'step.compensated': EventParts<{
    /** Id of the element that compensates. */
    readonly handler: string;
    readonly handlerStepId: string;
  }>;

  'approval.requested': EventParts<
    WithApproval & {
      readonly callId?: string;
      /** The approval of the previous round. */
      readonly previousApprovalId: string | null;
      /** SHA-256 over the RFC 8785 form of the subject. */
      readonly digest: string;
      readonly quorum: number;
      readonly separationOfDuties: PendingApproval['separationOfDuties'];
      readonly dueAt: string | null;
      readonly riskLevel: RiskLevel;
      readonly signatureRequired?: boolean;
    },
    { readonly candidateUsers: readonly string[]; readonly candidateGroups: readonly string[] }
  >;
  'approval.voted': EventParts<
    WithApproval & {
      readonly voteId: string;
      readonly decision: ApprovalDecision;
      /** The digest of the subject that the voter has decided on. */
      readonly digest: string;
      readonly signed?: boolean;
      /** Ids of earlier votes that do not count, because their voters have contributed to the data since. */
      readonly notCounted?: readonly string[];
      /** The evidence that was displayed to the voter, by digest. */
      readonly shown?: readonly { readonly sha256: string; readonly percent: number; readonly downloaded: boolean }[];
    },
    WithActor & {
      readonly comment: string | null;
      /**
       * The candidate users that refer, other than by id, to the voter or to the person in whose place the vote was
       * cast.
       */
      readonly askedAs?: readonly string[];
      /** Id of the person in whose place the vote was cast. */
      readonly inPlaceOf?: string;
      /** The name under which the approval was delegated to the voter, if not their id. */
      readonly delegatedTo?: string;
      readonly absence?: { readonly absenceId: string; readonly until: string };
      readonly signature?: { readonly keyId: string; readonly jws: string };
      /** Names of the displayed evidence, in the order of `shown`. */
      readonly shownNames?: readonly string[];
    }
  >;
  'approval.resolved': EventParts<
    WithApproval & { readonly status: ApprovalStatus; readonly decision: ApprovalDecision; readonly digest: string }
  >;
  'approval.withdrawn': EventParts<
    WithApproval & { readonly reason: string },
    (WithActor & { readonly comment: string | null }) | null
  >;
  'approval.expired': EventParts<WithApproval>;
  'approval.delegated': EventParts<
    WithApproval,
    WithActor & { readonly askedAs?: readonly string[]; readonly to: string; readonly until: string | null }
  >;
  'approval.reassigned': EventParts<
    WithApproval,
    WithActor & {
      readonly candidateUsers: readonly string[];
      readonly candidateGroups: readonly string[];
      readonly comment: string | null;
    }
  >;
  'approval.commented': EventParts<
    WithApproval & {
      readonly commentId: string;
      /** The comment that this one replies to. */
      readonly replyTo?: string;
      /** The digest of the subject when the comment was written. */
      readonly digest: string;
    },
    WithActor & { readonly text: string; readonly line?: CommentedLine }
  >;
  'rework.started': EventParts<{
    readonly targetElementId: string;
    /** The risks of repeated steps that were entered at this run event or later no longer count. */
    readonly fromEnteredSeq: number;
  }>;

  'message.awaited': EventParts<AwaitedMessage, { readonly correlationKey: string }>;
  'message.received': EventParts<AwaitedMessage, WithContributors & { readonly payload: JsonObject }>;
  /** A wait in addition to the step's own wait, for example for a boundary event or an event after a gateway. */
  'event.awaited': EventParts<
    AwaitedMessage | { readonly subscriptionId: string; readonly signalName: string },
    { readonly correlationKey: string } | null
  >;
  'signal.received': EventParts<{ readonly signalName: string }, WithContributors & { readonly payload: JsonObject }>;
  'timer.fired': EventParts<{ readonly timerId: string; readonly dueAt: string }>;
  'condition.met': EventParts<EmptyData>;
  'error.thrown': EventParts<
    Partial<StepIdentity> & { readonly code: string; readonly callId?: string },
    { readonly message: string; readonly variables?: JsonObject } | null
  >;
  'error.caught': EventParts<CaughtEvent>;
  'escalation.thrown': EventParts<
    Partial<StepIdentity> & { readonly code: string },
    (WithContributors & { readonly variables?: JsonObject }) | null
  >;
  'escalation.caught': EventParts<CaughtEvent>;
  'compensation.started': EventParts<{
    readonly elements: readonly string[];
    /** Ids of the steps, in the order in which they are compensated. */
    readonly steps: readonly string[];
  }>;
  'compensation.completed': EventParts<EmptyData>;

  'child.requested': EventParts<{ readonly childRunId: string; readonly workflowId: string }>;
  'child.ended': EventParts<
    { readonly childRunId: string; readonly how: 'completed' | 'error' | 'failed' },
    (WithContributors & { readonly code?: string; readonly message?: string; readonly variables?: JsonObject }) | null
  >;
  /** People contributed to the data of the parent run or of a child run. */
  'contributors.added': EventParts<EmptyData, { readonly contributors: readonly string[] }>;
  'decision.evaluated': EventParts<
    DecisionVersion & { readonly matchedRules: readonly string[] },
    WithDeployer & DecisionTrail & { readonly output: Json }
  >;
  'decision.failed': EventParts<DecisionVersion & { readonly code: string }, DecisionTrail>;

  'artifact.created': EventParts<
    { readonly artifactId: string; readonly version: number; readonly size: number; readonly sha256: string },
    WithActor & { readonly name: string; readonly contentType: string }
  >;
  'personal_data.erased': EventParts<
    {
      readonly scope: PersonalDataScope['kind'];
      /** The digest of the person whose data was erased; `null`: all personal data. */
      readonly personDigest: string | null;
      /** Positions of the erased run events. */
      readonly events: readonly number[];
      /** Positions of the erased audit events. */
      readonly auditEvents: readonly number[];
    },
    WithActor & { readonly reason: string }
  >;
}

/** The record of how a DMN decision was evaluated, as the evaluator reports it. */
type DecisionTrail = JsonObject;
