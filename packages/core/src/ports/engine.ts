import type { ServiceIdentifier } from 'inversify';
import type {
  Actor,
  ApprovalDecision,
  CommentCommand,
  EngineCapability,
  ErasePersonalDataCommand,
  Json,
  JsonObject,
  ProposedCall,
  QuestionRecord,
  Refusal,
  RunEventDraft,
  ShownEvidence,
  VoteSignature,
} from '@countersign/model';
import type { PendingAnnouncements } from './announcements.js';
import type { DmnDecisionVersionRecord } from './dmn-decisions.js';
import type { InboundEvent } from './inbound-events.js';
import type { ApprovalRecord, ArtifactRecord, RunRecord, WorkflowVersionRecord } from './records.js';
import type { RunSnapshot } from './run-snapshot.js';

/**
 * Executes runs. Each method resolves after its effect is durable.
 *
 * Methods that belong to a capability are called only if the engine has it (`requireCapability`).
 */
export interface EnginePort {
  /** The value of `Engine:Adapter` that selects the engine. */
  readonly name: string;
  /** What the engine can do, of the things that not every engine can do. */
  readonly capabilities: ReadonlySet<EngineCapability>;
  /**
   * Deploys all workflows of a file, together or not at all.
   *
   * @throws {ModelRefusedError} if the BPMN model cannot be executed faithfully
   */
  deploy(request: { bpmnXml: string; context: RequestContext }): Promise<DeployedWorkflow>;
  /**
   * Plans the deployment of a file without deploying it.
   *
   * @throws {ModelRefusedError} if the deployment would be refused
   */
  planDeployment(bpmnXml: string): Promise<PlannedDeployment>;
  /**
   * Deploys all decisions of a DMN file, together or not at all. From then on, business rule tasks evaluate the newest
   * version, even in runs that started earlier.
   *
   * @throws {ModelRefusedError} if a decision cannot be evaluated faithfully
   */
  deployDecisions(request: { dmnXml: string; context: RequestContext }): Promise<DeployedDecisions>;
  startRun(request: StartRunRequest): Promise<CommandResponse>;
  decideApproval(request: DecideApprovalRequest): Promise<CommandResponse>;
  delegateApproval(request: DelegateApprovalRequest): Promise<CommandResponse>;
  reassignApproval(request: ReassignApprovalRequest): Promise<CommandResponse>;
  /**
   * Records a comment on an approval, which may be resolved and whose run may have ended. The caller has validated the
   * comment.
   */
  commentOnApproval(request: CommentOnApprovalRequest): Promise<CommandResponse>;
  /** Answers a question of a run. The caller has validated the answer against the options and the schema. */
  answerQuestion(request: AnswerQuestionRequest): Promise<CommandResponse>;
  cancelRun(request: CancelRunRequest): Promise<CommandResponse>;
  recoverRun(request: RecoverRunRequest): Promise<CommandResponse>;
  /** Moves a run to another version of its workflow. */
  migrateRun(request: MigrateRunRequest): Promise<CommandResponse>;
  /** Erases personal data of a run that has ended. */
  erasePersonalData(request: ErasePersonalDataRequest): Promise<CommandResponse>;
  /** Plans a command of an operator without executing it. */
  plan(request: PlannedCommand): Promise<PlannedOutcome>;
  /**
   * Reads the state of a run. Only the engine knows its format.
   *
   * @param state the text that the engine stored (`StoredRun.state`)
   */
  readState(state: string): RunSnapshot;
  recordArtifact(request: RecordArtifactRequest): Promise<CommandResponse>;
  /**
   * Correlates a message with at most one run of each workflow: the run that has waited longest, otherwise a new run,
   * if the workflow has a start event for the message and no active run was started with the same correlation key. With
   * `bufferForMs`, the message stays available to workflows that have not received it.
   *
   * @throws {ApiError} `invalid_message` if the name or the key is longer than 255 characters
   */
  correlateMessage(request: CorrelateMessageRequest): Promise<CorrelatedMessage>;
  /**
   * Receives an inbound event exactly once: the event is recorded in the transaction of its effect, which is that of
   * `correlateMessage`.
   *
   * @throws {ApiError} the refusal of a workflow, if no run received the event; nothing is recorded then
   */
  receiveEvent(request: ReceiveEventRequest): Promise<ReceivedEvent>;
  /**
   * Delivers an event that no run received, and that is no longer buffered, to the runs that wait for it now. The
   * result
   * `duplicate` means that the same request did so before, under the same idempotency key.
   *
   * @throws {ApiError} `inbound_event_not_found`, `inbound_event_not_redeliverable`
   */
  redeliverEvent(request: { readonly eventId: string; readonly context: RequestContext }): Promise<ReceivedEvent>;
  /**
   * Broadcasts a signal from outside to all runs that wait for it now. It also starts a run of each workflow with a
   * start event for it.
   */
  broadcastSignal(request: BroadcastSignalRequest): Promise<{ readonly signalId: string }>;
  /**
   * Evaluates the conditional start events of the newest versions, and starts a run at each whose condition is true (as
   * Camunda 8.9 does): one run per start event, even within one workflow. A condition is evaluated if one of its
   * variables is given. A condition that cannot be evaluated counts as false.
   *
   * @throws {ApiError} `workflow_not_found`; `too_many_conditions` (no run is started); the refusal of a named
   * workflow, if none of its start events accepts the variables
   */
  evaluateConditions(request: EvaluateConditionsRequest): Promise<EvaluatedConditions>;
  /** Describes the engine as this process knows it. Never waits for another system. */
  status(): Promise<EngineStatus>;
  /** Calls the listener after each commit of this process, so that the change feed need not wait for its next poll. */
  onCommit(listener: () => void): void;
  start(): Promise<void>;
  /**
   * Accepts no new work, lets work in progress finish for up to `graceMs`, and releases the leases. A repeated call does
   * nothing more.
   */
  stop(graceMs: number): Promise<void>;
}

export const EnginePort: ServiceIdentifier<EnginePort> = Symbol.for('@countersign/core:EnginePort');

/** The caller of a request, its origin and its idempotency key. */
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
 * The response to a command. `replayed`: whether it is the stored response of an earlier, identical request.
 *
 * @typeParam Response the view that the JSON represents
 */
export interface CommandResponse<Response extends object = JsonObject> {
  readonly response: Response;
  readonly replayed: boolean;
}

/** Builds the response from the outcome before the commit, so that both are stored together. */
export type BuildResponse = (outcome: CommandOutcome) => JsonObject;

/** The outcome of a command that was accepted. */
export interface CommandOutcome {
  /** The run after the command. */
  readonly run: RunRecord;
  /** The run events that the command added. */
  readonly events: readonly RunEventDraft[];
  /** The approval, question or artifact that the command concerned. */
  readonly approval: ApprovalRecord | null;
  readonly question: QuestionRecord | null;
  readonly artifact: ArtifactRecord | null;
}

/** The outcome that a planned command would have now. */
export interface PlannedOutcome {
  /** The run events that the command would add. */
  readonly events: readonly RunEventDraft[];
  /** The child runs that would be cancelled. */
  readonly cancelledChildRunIds: readonly string[];
  /** The reason for which the command would be refused; `null` if it would be accepted. */
  readonly refusal: Refusal | null;
}

interface RunRequest {
  readonly context: RequestContext;
  readonly respond: BuildResponse;
}

export interface StartRunRequest extends RunRequest {
  readonly workflowId: string;
  /** Version to start; by default the newest one. */
  readonly version?: number;
  /**
   * Whether to start the run only if that version is the newest one; otherwise the request is refused with
   * `workflow_version_superseded`. This lets a caller validate inputs against a cached version.
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
  /**
   * The edited call (`AgentRuntimePort.proposeCall`), if `approve` decides a tool call that the approver has edited.
   */
  readonly edited?: ProposedCall;
  /** The result of verifying the signature of the vote. An invalid signature refuses the vote. */
  readonly signature?: VoteSignature;
  /** The evidence that the approver was shown. */
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

export interface CommentOnApprovalRequest extends RunRequest, Omit<CommentCommand, 'type' | 'actor' | 'commentId'> {}

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
  /** Target version, which must be deployed. */
  readonly version: number;
  /** Maps element ids of the current version to those of the target version. */
  readonly mapping: Readonly<Record<string, string>>;
  readonly comment: string | null;
}

/**
 * An erasure that was planned at the run event `expectedSeq`. If the run has later events, the result is `conflict`.
 */
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
  /**
   * A UUID. During the lifetime of the message, a repeated id delivers nothing and returns the runs that received it.
   */
  readonly messageId?: string;
  /**
   * How long the message waits for later subscriptions, in ms. By default 0: it reaches existing subscriptions only.
   */
  readonly bufferForMs?: number;
}

export interface CorrelatedMessage {
  /** The runs that it resumed. */
  readonly runIds: readonly string[];
  /** The runs that it started. */
  readonly startedRunIds: readonly string[];
  /** Whether it is buffered for other workflows. */
  readonly buffered: boolean;
  /** Whether a message with this id was sent before; the other members then describe that message. */
  readonly duplicate: boolean;
}

export interface ReceiveEventRequest extends Pick<
  InboundEvent,
  'via' | 'source' | 'idempotencyKey' | 'bodyDigest' | 'oncePerBody' | 'messageName' | 'correlationKey' | 'payload'
> {
  readonly context: RequestContext;
  /** How long the event waits for later subscriptions, in ms. 0: it reaches existing subscriptions only. */
  readonly bufferForMs: number;
}

export interface ReceivedEvent {
  readonly eventId: string;
  /** The message name of the first delivery of the event. */
  readonly messageName: string;
  readonly correlationKey: string;
  /** Whether the event was delivered before; the other members then describe the effect of that delivery so far. */
  readonly duplicate: boolean;
  readonly resumedRunIds: readonly string[];
  readonly startedRunIds: readonly string[];
  /** Whether it is buffered for other workflows. */
  readonly buffered: boolean;
}

export interface BroadcastSignalRequest {
  readonly context: RequestContext;
  readonly signalName: string;
  readonly payload: JsonObject;
}

export interface EvaluateConditionsRequest {
  readonly context: RequestContext;
  /** The variables of the conditions, and the payload of the start events. */
  readonly variables: JsonObject;
  /** The business key of the started runs. */
  readonly businessKey: string | null;
  /** Workflow to which the evaluation is restricted. */
  readonly workflowId?: string;
  /** Called before a run starts. @throws {ApiError} if the version does not accept the variables */
  readonly admit: (version: { readonly workflowId: string; readonly version: number }) => Promise<void>;
}

export interface EvaluatedConditions {
  readonly started: readonly (ConditionalStart & { readonly runId: string })[];
  /** Conditions that are true, but whose workflows refuse the run. */
  readonly refused: readonly (ConditionalStart & { readonly code: string; readonly message: string })[];
  /** Whether this is the response to an earlier request with the same idempotency key. */
  readonly replayed: boolean;
}

export interface ConditionalStart {
  readonly workflowId: string;
  readonly version: number;
  readonly elementId: string;
}

export interface DeployedVersion {
  readonly workflow: Omit<WorkflowVersionRecord, 'bpmnXml'>;
  readonly created: boolean;
}

/** The first workflow of a deployed file. */
export interface DeployedWorkflow extends DeployedVersion {
  /** The other workflows, in the order of the file. */
  readonly alsoDeployed: readonly DeployedVersion[];
  /** Findings of the model checks. They do not prevent the deployment. */
  readonly warnings: readonly ModelWarning[];
}

/** The plan of a deployment. A concurrent deployment can change the result. */
export interface PlannedDeployment {
  /** The processes, in the order of the file. `unchanged`: whether the newest version has the same bytes. */
  readonly processes: readonly (Pick<WorkflowVersionRecord, 'workflowId' | 'name' | 'version' | 'elements'> & {
    readonly unchanged: boolean;
  })[];
  readonly warnings: readonly ModelWarning[];
}

/** A finding in a BPMN model that can be executed, but probably does not do what its author intended. */
export interface ModelWarning {
  /** `error`: the BPMN model can never work as drawn. */
  readonly severity: 'error' | 'warning';
  /** Name of the rule (`countersign lint` prints it with the prefix `countersign/`). */
  readonly rule: string;
  /** The affected BPMN element. */
  readonly elementId: string | null;
  readonly message: string;
}

/** The decisions of a deployed DMN file, in the order of the file. */
export interface DeployedDecisions {
  /** Id of the `definitions` element. */
  readonly decisionRequirementsId: string;
  readonly name: string | null;
  readonly digest: string;
  readonly decisions: readonly DmnDecisionVersionRecord[];
  /** Whether the deployment created new versions. */
  readonly created: boolean;
}

export interface EngineStatus {
  readonly mode: 'embedded' | 'temporal';
  readonly version: string;
  readonly instanceId: string;
  readonly startedAt: number;
  /** Job types that this process serves, with the number of running jobs and the limit. */
  readonly workers: readonly { readonly jobType: string; readonly active: number; readonly concurrency?: number }[];
  readonly external: boolean;
  /** Work that this process retries with increasing delays. */
  readonly failing?: readonly FailingWork[];
  /**
   * Number of commands, since the start of the process, whose outcome could not be computed or stored. They ended with
   * an incident or were refused.
   */
  readonly commandsNotStorable?: number;
  /** The cluster of an external engine. */
  readonly cluster?: ClusterStatus;
}

/** State of the cluster of an external engine, at most a few seconds old. */
export interface ClusterStatus {
  /** Why this server cannot use the cluster, and what to do; `null` if it can. Contains no secret. */
  readonly problem: string | null;
  /** `null` until the cluster has responded for the first time. */
  readonly topology: ClusterTopology | null;
}

export interface ClusterTopology {
  readonly clusterId: string;
  readonly clusterName: string;
  readonly serverVersion: string;
  readonly persistenceStore: string | null;
  /** `null` if the cluster does not tell its members. */
  readonly members: readonly ClusterMember[] | null;
  readonly taskQueues: readonly TaskQueueStatus[];
  /** Committed commands that the cluster has not accepted yet. */
  readonly announcements: PendingAnnouncements;
}

export interface ClusterMember {
  readonly role: string;
  /** Host and port. */
  readonly address: string;
  /** Shards that the member owns; `null` if unknown. */
  readonly shards: readonly number[] | null;
}

export interface TaskQueueStatus {
  readonly name: string;
  /** Servers that take tasks. A server that died is listed for some minutes. */
  readonly pollers: readonly { readonly identity: string; /** Ms since the epoch. */ readonly lastAccessAt: number }[];
  /** Number of tasks that no server has taken, approximately. */
  readonly backlog: number;
}

/** A kind of failing work, and the number of runs, start timers or messages affected. */
export interface FailingWork {
  readonly work: 'timers' | 'start_timers' | 'run_messages';
  readonly count: number;
}
