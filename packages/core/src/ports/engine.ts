import type { ServiceIdentifier } from 'inversify';
import type {
  Actor,
  AdvanceResult,
  ApprovalDecision,
  ErasePersonalDataCommand,
  Json,
  JsonObject,
  ProposedCall,
  QuestionRecord,
  ShownEvidence,
  VoteSignature,
} from '@countersign/model';
import type { DmnDecisionVersionRecord } from './dmn-decisions.js';
import type { InboundEvent } from './inbound-events.js';
import type { ApprovalRecord, ArtifactRecord, RunRecord, WorkflowVersionRecord } from './records.js';

/** Executes runs. Every method answers after what it did is durable. */
export interface EnginePort {
  readonly name: string;
  /**
   * Deploys all workflows of a file, together or not at all.
   *
   * @throws {ModelRefusedError} where the model can't be executed faithfully.
   */
  deploy(request: { bpmnXml: string; context: RequestContext }): Promise<DeployedWorkflow>;
  /**
   * What a deployment of the file would do. Changes nothing.
   *
   * @throws {ModelRefusedError} where it would be refused.
   */
  planDeployment(bpmnXml: string): Promise<PlannedDeployment>;
  /**
   * Deploys all decisions of a DMN file, together or not at all. Business rule tasks evaluate the newest version from then
   * on, also in runs that have begun before.
   *
   * @throws {ModelRefusedError} where one of them can't be evaluated faithfully.
   */
  deployDecisions(request: { dmnXml: string; context: RequestContext }): Promise<DeployedDecisions>;
  startRun(request: StartRunRequest): Promise<CommandResponse>;
  decideApproval(request: DecideApprovalRequest): Promise<CommandResponse>;
  delegateApproval(request: DelegateApprovalRequest): Promise<CommandResponse>;
  reassignApproval(request: ReassignApprovalRequest): Promise<CommandResponse>;
  /** Answers a question of a run. The answer was checked against its options and its schema. */
  answerQuestion(request: AnswerQuestionRequest): Promise<CommandResponse>;
  cancelRun(request: CancelRunRequest): Promise<CommandResponse>;
  recoverRun(request: RecoverRunRequest): Promise<CommandResponse>;
  /** Moves a run to another version of its workflow. */
  migrateRun(request: MigrateRunRequest): Promise<CommandResponse>;
  /** Erases personal data of a run that has ended. */
  erasePersonalData(request: ErasePersonalDataRequest): Promise<CommandResponse>;
  /** What a command of an operator would do. Changes nothing. */
  plan(request: PlannedCommand): Promise<AdvanceResult>;
  recordArtifact(request: RecordArtifactRequest): Promise<CommandResponse>;
  /**
   * Delivers a message to at most one run of each workflow: the one that has waited longest, else a new one where the
   * workflow has a start event for it and no run is active that was started with the same correlation key. With
   * `bufferForMs` it stays for workflows that have not had it.
   *
   * @throws {ApiError} `invalid_message` where the name or the key is longer than 256 characters
   */
  correlateMessage(request: CorrelateMessageRequest): Promise<CorrelatedMessage>;
  /**
   * Takes a delivery of a system outside, once: it is recorded together with what it does, which is as with
   * `correlateMessage`.
   *
   * @throws what the workflow says that refuses it, where it reached nobody; nothing is recorded then.
   */
  receiveEvent(request: ReceiveEventRequest): Promise<ReceivedEvent>;
  /**
   * Brings an event that reached nobody, and is not kept any more, to those who wait now. `duplicate`: the same request
   * did so before, under the same idempotency key.
   *
   * @throws {ApiError} `inbound_event_not_found`, `inbound_event_not_redeliverable`
   */
  redeliverEvent(request: { readonly eventId: string; readonly context: RequestContext }): Promise<ReceivedEvent>;
  /**
   * Throws a signal from outside: it will reach all runs that wait for it now, and start a run of each workflow that
   * begins with it.
   */
  broadcastSignal(request: BroadcastSignalRequest): Promise<{ readonly signalId: string }>;
  /**
   * Looks at the conditions at start events of the newest versions, and starts a run at each that holds of the variables
   * (as Camunda 8.9 does): one for each start event, also of the same workflow. A condition is looked at where one of the
   * variables that it reads is given; one that can't be evaluated does not hold.
   *
   * @throws {ApiError} `workflow_not_found`; `too_many_conditions`, and nothing is started; where a workflow is
   * named that takes the variables at none of its start events, what it says
   */
  evaluateConditions(request: EvaluateConditionsRequest): Promise<EvaluatedConditions>;
  status(): EngineStatus;
  /** Tells after each commit of this process, so that who follows the change feed need not wait for the next look. */
  onCommit(listener: () => void): void;
  start(): Promise<void>;
  /** Takes no new work, lets what runs finish (as long as `graceMs`), and gives its leases back. */
  stop(graceMs: number): Promise<void>;
}

export const EnginePort: ServiceIdentifier<EnginePort> = Symbol.for('@countersign/core:EnginePort');

/** Who asks, from where, and under which idempotency key. */
export interface RequestContext {
  readonly actor: Actor;
  /** Address or part of the system, for the audit trail. */
  readonly from: string | null;
  readonly traceId: string | null;
  readonly idempotency?: {
    readonly scope: string;
    readonly key: string;
    /** SHA-256 (hex) over the request. */
    readonly requestDigest: string;
  };
}

/**
 * What a command left behind. `replayed`: the stored answer of the same request, made earlier.
 *
 * @typeParam Response the view that it is the JSON of, where that is known
 */
export interface CommandResponse<Response extends object = JsonObject> {
  readonly response: Response;
  readonly replayed: boolean;
}

/** Makes the answer from the outcome, before it is committed, so that it can be stored with it. */
export type BuildResponse = (outcome: CommandOutcome) => JsonObject;

export interface CommandOutcome {
  readonly run: RunRecord;
  readonly result: AdvanceResult;
  readonly approval: ApprovalRecord | null;
  readonly question: QuestionRecord | null;
  readonly artifact: ArtifactRecord | null;
}

interface RunRequest {
  readonly context: RequestContext;
  readonly respond: BuildResponse;
}

export interface StartRunRequest extends RunRequest {
  readonly workflowId: string;
  /** The newest one by default. */
  readonly version?: number;
  /**
   * Start only while that version is the newest one; otherwise the request is refused (`workflow_version_superseded`).
   * So a caller may check inputs against the version that it remembers.
   */
  readonly onlyNewest?: boolean;
  readonly inputs: JsonObject;
  readonly businessKey: string | null;
}

export interface DecideApprovalRequest extends RunRequest {
  readonly approvalId: string;
  readonly decision: ApprovalDecision;
  readonly comment: string | null;
  readonly expectedDigest: string | null;
  readonly expectedRound: number | null;
  /** With `approve`, of a call of a tool: the call as a person has changed it (`AgentRuntimePort.propose`). */
  readonly edited?: ProposedCall;
  /** What was found of the signature that came with it. What does not hold refuses the vote, where it is not refused anyway. */
  readonly signature?: VoteSignature;
  /** The evidence that was shown to whoever decides. */
  readonly shown?: readonly ShownEvidence[];
}

export interface AnswerQuestionRequest extends RunRequest {
  readonly questionId: string;
  readonly answer: Json;
}

export interface DelegateApprovalRequest extends RunRequest {
  readonly approvalId: string;
  readonly to: string;
  readonly until: number | null;
}

export interface ReassignApprovalRequest extends RunRequest {
  readonly approvalId: string;
  readonly candidateUsers: readonly string[];
  readonly candidateGroups: readonly string[];
  readonly comment: string | null;
}

export interface CancelRunRequest extends RunRequest {
  readonly runId: string;
  readonly reason: string | null;
}

export interface RecoverRunRequest extends RunRequest {
  readonly runId: string;
  readonly steps: readonly string[] | null;
  readonly variables: JsonObject | null;
  readonly comment: string | null;
}

export interface MigrateRunRequest extends RunRequest {
  readonly runId: string;
  /** A version that is deployed. */
  readonly version: number;
  /** Element ids of the version that the run is on, each with that of its counterpart. */
  readonly mapping: Readonly<Record<string, string>>;
  readonly comment: string | null;
}

/** What is to be erased was worked out on the run as it was at `expectedSeq`; where it has gone on since, it is a `conflict`. */
export interface ErasePersonalDataRequest extends RunRequest, Omit<ErasePersonalDataCommand, 'type' | 'actor'> {
  readonly runId: string;
}

export type PlannedCommand =
  | { readonly kind: 'cancel'; readonly command: CancelRunRequest }
  | { readonly kind: 'recover'; readonly command: RecoverRunRequest }
  | { readonly kind: 'migrate'; readonly command: MigrateRunRequest };

export interface RecordArtifactRequest extends RunRequest {
  readonly runId: string;
  readonly artifact: {
    readonly name: string;
    readonly size: number;
    readonly sha256: string;
    readonly contentType: string;
  };
}

export interface CorrelateMessageRequest {
  readonly context: RequestContext;
  readonly messageName: string;
  readonly correlationKey: string;
  readonly payload: JsonObject;
  /** A UUID. The same id again, within the life of the message, delivers nothing and answers who has had it. */
  readonly messageId?: string;
  /** How long the message stays for those who will wait for it, in ms; 0 by default: it is for those who wait already. */
  readonly bufferForMs?: number;
}

export interface CorrelatedMessage {
  /** The runs that waited for it. */
  readonly runIds: readonly string[];
  /** The runs that it started. */
  readonly startedRunIds: readonly string[];
  /** Whether it is kept for others. */
  readonly buffered: boolean;
  /** Whether a message with this id was there before; the rest then tells what became of that one. */
  readonly duplicate: boolean;
}

export interface ReceiveEventRequest extends Pick<
  InboundEvent,
  'via' | 'source' | 'idempotencyKey' | 'bodyDigest' | 'oncePerBody' | 'messageName' | 'correlationKey' | 'payload'
> {
  readonly context: RequestContext;
  /** How long it stays for those who will wait for it, in ms; 0: it is for those who wait already. */
  readonly bufferForMs: number;
}

export interface ReceivedEvent {
  readonly eventId: string;
  /** Of the first delivery, as all the rest. */
  readonly messageName: string;
  readonly correlationKey: string;
  /** Whether it was delivered before; the rest then tells what became of that delivery so far. */
  readonly duplicate: boolean;
  readonly resumedRunIds: readonly string[];
  readonly startedRunIds: readonly string[];
  /** Whether it is kept for others. */
  readonly buffered: boolean;
}

export interface BroadcastSignalRequest {
  readonly context: RequestContext;
  readonly signalName: string;
  readonly payload: JsonObject;
}

export interface EvaluateConditionsRequest {
  readonly context: RequestContext;
  /** What the conditions are evaluated over, and what comes with the start event. */
  readonly variables: JsonObject;
  /** Of the runs that are started. */
  readonly businessKey: string | null;
  /** The start events of one workflow only. */
  readonly workflowId?: string;
  /** Asked before a run is started; throws where the version does not take the variables. */
  readonly admit: (version: { readonly workflowId: string; readonly version: number }) => Promise<void>;
}

export interface EvaluatedConditions {
  readonly started: readonly (StartedByCondition & { readonly runId: string })[];
  /** Conditions that hold, and whose workflows refuse the run. */
  readonly refused: readonly (StartedByCondition & { readonly code: string; readonly message: string })[];
  /** Whether this was asked for before, under the same idempotency key. */
  readonly replayed: boolean;
}

export interface StartedByCondition {
  readonly workflowId: string;
  readonly version: number;
  readonly elementId: string;
}

export interface DeployedVersion {
  readonly workflow: Omit<WorkflowVersionRecord, 'bpmnXml'>;
  readonly created: boolean;
}

/** The first workflow of the file. */
export interface DeployedWorkflow extends DeployedVersion {
  /** The others, in the order of the file. */
  readonly alsoDeployed: readonly DeployedVersion[];
  /** What the checks of the model found; it is deployed all the same. */
  readonly warnings: readonly ModelWarning[];
}

/** What a deployment would do, as far as nobody else deploys meanwhile. */
export interface PlannedDeployment {
  /** In the order of the file. `unchanged`: these bytes are that version already. */
  readonly processes: readonly (Pick<WorkflowVersionRecord, 'workflowId' | 'name' | 'version' | 'elements'> & {
    readonly unchanged: boolean;
  })[];
  readonly warnings: readonly ModelWarning[];
}

/** A fault of a model that can be executed, but will hardly do what was meant. */
export interface ModelWarning {
  /** `error`: it can never work as it is drawn. */
  readonly severity: 'error' | 'warning';
  /** Name of the rule (`countersign lint` says `countersign/…`). */
  readonly rule: string;
  /** The BPMN element concerned. */
  readonly elementId: string | null;
  readonly message: string;
}

/** The decisions of a DMN file, in its order. */
export interface DeployedDecisions {
  /** The id of the `definitions`. */
  readonly decisionRequirementsId: string;
  readonly name: string | null;
  readonly digest: string;
  readonly decisions: readonly DmnDecisionVersionRecord[];
  /** Whether these are new versions. */
  readonly created: boolean;
}

export interface EngineStatus {
  readonly mode: 'embedded' | 'zeebe';
  readonly version: string;
  readonly instanceId: string;
  readonly startedAt: number;
  /** Job types that this process serves, with the jobs in hand and how many it takes at once. */
  readonly workers: readonly { readonly jobType: string; readonly active: number; readonly concurrency?: number }[];
  readonly external: boolean;
  /** Work that this process retries with growing pauses. */
  readonly failing?: readonly FailingWork[];
  /** Number of commands since the start of the process that halted with an incident or were rejected, because their outcome could not be computed or stored. */
  readonly commandsNotStorable?: number;
}

/** A kind of failing work, and the number of runs, start timers or messages affected. */
export interface FailingWork {
  readonly work: 'timers' | 'start_timers' | 'run_messages';
  readonly count: number;
}
