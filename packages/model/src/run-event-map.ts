import type { AgentEvents } from './agent-events.js';
import type { Json, JsonObject } from './json.js';
import type { PersonalDataScope } from './personal-data-scope.js';
import type { RiskLevel } from './policy.js';
import type { RecordedActor } from './principal.js';
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

/** The person or system that acted. */
interface WithActor {
  readonly actor: RecordedActor;
}

/** Ids of the people who contributed to the data of the event. */
interface WithContributors {
  readonly contributors?: readonly string[];
}

/** Id of the person who deployed the version or the DMN decision. */
interface WithDeployer {
  readonly deployedBy?: string;
}

/** The identity of a step, recorded in the first event that concerns it. */
export interface StepIdentity {
  readonly name: string | null;
  readonly type: string;
  readonly enteredSeq: number;
  readonly iteration: number;
}

/** The start of a step, as recorded in its first event. */
export interface StepStart extends StepIdentity {
  readonly attempt: number;
  readonly agentName: string | null;
  /** The sequence flow on which the token arrived. */
  readonly via: string | null;
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
        readonly startEvent?: { readonly elementId: string; readonly trigger: number; readonly payload: JsonObject };
      }
  >;
  'run.completed': EventParts<EmptyData>;
  'run.failed': EventParts<{ readonly code: string }>;
  'run.cancelled': EventParts<EmptyData>;
  'run.rejected': EventParts<EmptyData>;
  'run.cancel_requested': EventParts<EmptyData, WithActor & { readonly reason: string | null }>;
  'run.recovered': EventParts<
    { readonly steps: readonly string[]; readonly variableNames: readonly string[] },
    WithActor & { readonly comment: string | null; readonly variables: JsonObject | null }
  >;
  'run.migrated': EventParts<
    {
      readonly fromVersion: number;
      readonly fromDigest: string;
      readonly toVersion: number;
      readonly toDigest: string;
      readonly mapping: Readonly<Record<string, string>>;
      readonly moves: readonly ElementMove[];
      readonly closed: readonly AwaitedEvent[];
      readonly opened: readonly AwaitedEvent[];
      /** Ids of the elements whose jobs are offered again. */
      readonly restarted: readonly string[];
    },
    WithActor & WithDeployer & { readonly comment: string | null; readonly leftDeployedBy?: string }
  >;

  /** `asked`: the parts of the policy request that are recorded nowhere else. */
  'step.started': EventParts<StepStart, { readonly asked: JsonObject } | null>;
  'step.completed': EventParts<Partial<StepIdentity>, { readonly output: JsonObject } | null>;
  'step.failed': EventParts<
    Partial<StepIdentity> & {
      readonly code: string;
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
    readonly from: string;
    readonly name: string | null;
    readonly policyDecision?: JsonObject;
  }>;
  'step.compensated': EventParts<{ readonly handler: string; readonly handlerStepId: string }>;

  'approval.requested': EventParts<
    WithApproval & {
      readonly callId?: string;
      readonly previousApprovalId: string | null;
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
      readonly digest: string;
      readonly signed?: boolean;
      /** Ids of earlier votes that do not count, because their voters have contributed to the data since. */
      readonly notCounted?: readonly string[];
      readonly shown?: readonly { readonly sha256: string; readonly percent: number; readonly downloaded: boolean }[];
    },
    WithActor & {
      readonly comment: string | null;
      /**
       * The candidate users that refer, other than by id, to the voter or to the person in whose place the vote was
       * cast.
       */
      readonly askedAs?: readonly string[];
      readonly inPlaceOf?: string;
      /** The name under which the approval was delegated to the voter, if not their id. */
      readonly delegatedTo?: string;
      readonly absence?: { readonly absenceId: string; readonly until: string };
      readonly signature?: { readonly keyId: string; readonly jws: string };
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
  'rework.started': EventParts<{ readonly targetElementId: string; readonly fromEnteredSeq: number }>;

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
  'error.caught': EventParts<{ readonly code: string; readonly thrownBy: string }>;
  'escalation.thrown': EventParts<
    Partial<StepIdentity> & { readonly code: string },
    (WithContributors & { readonly variables?: JsonObject }) | null
  >;
  'escalation.caught': EventParts<{ readonly code: string; readonly thrownBy: string }>;
  'compensation.started': EventParts<{ readonly elements: readonly string[]; readonly steps: readonly string[] }>;
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
      readonly personDigest: string | null;
      readonly events: readonly number[];
      readonly auditEvents: readonly number[];
    },
    WithActor & { readonly reason: string }
  >;
}

/** The record of how a DMN decision was evaluated, as the evaluator reports it. */
type DecisionTrail = JsonObject;

export type RunEventType = keyof RunEventMap;

const TYPES: Readonly<Record<RunEventType, true>> = {
  'run.started': true,
  'run.completed': true,
  'run.failed': true,
  'run.cancelled': true,
  'run.rejected': true,
  'run.cancel_requested': true,
  'run.recovered': true,
  'run.migrated': true,
  'step.started': true,
  'step.completed': true,
  'step.failed': true,
  'step.attempt_failed': true,
  'step.retried': true,
  'step.cancelled': true,
  'step.migrated': true,
  'step.compensated': true,
  'approval.requested': true,
  'approval.voted': true,
  'approval.resolved': true,
  'approval.withdrawn': true,
  'approval.expired': true,
  'approval.delegated': true,
  'approval.reassigned': true,
  'rework.started': true,
  'message.awaited': true,
  'message.received': true,
  'event.awaited': true,
  'signal.received': true,
  'timer.fired': true,
  'condition.met': true,
  'error.thrown': true,
  'error.caught': true,
  'escalation.thrown': true,
  'escalation.caught': true,
  'compensation.started': true,
  'compensation.completed': true,
  'child.requested': true,
  'child.ended': true,
  'contributors.added': true,
  'decision.evaluated': true,
  'decision.failed': true,
  'artifact.created': true,
  'personal_data.erased': true,
  'agent.turn': true,
  'agent.response_discarded': true,
  'agent.call.requested': true,
  'agent.call.dispatched': true,
  'agent.call.completed': true,
  'agent.call.refused': true,
  'agent.call.changed': true,
  'agent.call.lost': true,
  'agent.repair': true,
  'agent.budget_exhausted': true,
  'agent.budget_extended': true,
  'question.asked': true,
  'question.answered': true,
  'question.expired': true,
  'question.withdrawn': true,
};

/** The types of run events. A newer server may have written events of other types. */
export const RUN_EVENT_TYPES = Object.freeze(Object.keys(TYPES) as RunEventType[]);
