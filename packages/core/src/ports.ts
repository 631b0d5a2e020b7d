/**
 * The API for plugins that provide the engine or the storage: the interfaces that these two implement and use, and the
 * separate stores in which other plugins keep their data.
 */

// Engine: executes commands on runs; the API and webhooks call it.
export {
  EnginePort,
  type CommandResponse,
  type AnswerQuestionRequest,
  type BroadcastSignalRequest,
  type CancelRunRequest,
  type CommandOutcome,
  type CorrelatedMessage,
  type CorrelateMessageRequest,
  type DecideApprovalRequest,
  type DelegateApprovalRequest,
  type DeployedDecisions,
  type DeployedVersion,
  type DeployedWorkflow,
  type ClusterMember,
  type ClusterStatus,
  type ClusterTopology,
  type EngineStatus,
  type TaskQueueStatus,
  type ErasePersonalDataRequest,
  type EvaluateConditionsRequest,
  type EvaluatedConditions,
  type MigrateRunRequest,
  type ModelWarning,
  type PlannedCommand,
  type PlannedDeployment,
  type PlannedOutcome,
  type CommentOnApprovalRequest,
  type ReassignApprovalRequest,
  type ReceivedEvent,
  type ReceiveEventRequest,
  type RecordArtifactRequest,
  type RecoverRunRequest,
  type RequestContext,
  type BuildResponse,
  type StartRunRequest,
} from './ports/engine.js';
export type { OpenStep, RunSnapshot } from './ports/run-snapshot.js';

// Storage: stores runs, their history and everything else that commands write, each command in one transaction.
export type { Announcement, AnnouncementStore, PendingAnnouncements } from './ports/announcements.js';
export { MAX_SERVER_AGE_MS, type EngineCount, type EngineRegister } from './ports/engine-register.js';
export {
  EMBEDDED_ENGINE,
  StoragePort,
  type Change,
  type ChangeFeed,
  type ClaimedJob,
  type CommitFailure,
  type CommitResult,
  type IdempotencyKey,
  type RunWrite,
  type StartKey,
  type StoredResponse,
  type StoredRun,
  type WorkflowDeployment,
} from './ports/storage.js';
export type { AbsenceRecord, NewAbsence } from './ports/absences.js';
export type {
  KnownGroup,
  KnownPerson,
  PeopleFilter,
  PeopleStore,
  PersonToken,
  UsersAndGroups,
} from './ports/people.js';
export type { ClockReading } from './ports/clock.js';
export type {
  DmnDeployment,
  DmnDecisionRecord,
  DmnDecisionUse,
  DmnDecisionVersionRecord,
} from './ports/dmn-decisions.js';
export type {
  InboundEventCause,
  EventMatch,
  RecordResult,
  InboundEvent,
  InboundEventFilter,
  InboundEventRecord,
  InboundEventStatus,
  RefusedEventCount,
} from './ports/inbound-events.js';
export type {
  ChannelMatches,
  MessageChannel,
  MessageMatch,
  MessageOrigin,
  MessageReceipt,
  MessageToPublish,
} from './ports/messages.js';
export type { ClaimedMessage, CommandCause, OutgoingRow, WaitingSignalSubscription } from './ports/outbox.js';
export type { ErasureOutsideRuns, RunPayloads, RunsMentioningPerson, StoredText } from './ports/personal-data.js';
export type {
  NextStartTime,
  StartCondition,
  StartConditionRecord,
  StartEvents,
  StartSubscription,
  StartSubscriptionRecord,
  StartTimer,
  StartTimerRecord,
} from './ports/start-events.js';

// Queries of the storage: pages of stored records, for lists and statistics.
export type {
  ApprovalCounts,
  ApprovalFilter,
  ApprovalPerson,
  Count,
  FoundRun,
  CommentCount,
  DiscussionSize,
  ListedApproval,
  Page,
  PageRequest,
  PolicyDecisionFilter,
  PolicyDecisionRecord,
  QuestionFilter,
  RunArtifact,
  RunFilter,
  RunRecord,
  SubjectOutline,
  ValueCount,
  WorkflowVersionRecord,
} from './ports/records.js';
export type {
  ElementCounts,
  RunCounts,
  StatisticsFilter,
  StatisticsLimits,
  StatisticsRecord,
} from './ports/statistics.js';

// Separate stores: each is a separate port, which the storage implements and one part of the server uses.
export { DefinitionStore, type Definition, type DefinitionKind } from './ports/definitions.js';
export { EndedSessionsStore, type EndedSession } from './ports/ended-sessions.js';
export {
  OutboundDeliveryStore,
  type ClaimedDelivery,
  type EndpointClaim,
  type DeliveryAttempt,
  type OutboundDelivery,
  type OutboundDeliveryFilter,
  type OutboundDeliveryRecord,
  type OutboundDeliveryStatus,
  type FailingEndpoint,
} from './ports/outbound-deliveries.js';
export { RateCountsStore } from './ports/rate-counts.js';
export { SettingsReaderPort, type SettingsChange, type StoredSecret, type StoredSettings } from './ports/settings.js';
export {
  SigningKeyStore,
  type KeyEnrolment,
  type NewEnrolment,
  type NewSigningKey,
  type SigningKeyRecord,
} from './ports/signing-keys.js';
export { ToolPinStore, type AcceptedContent, type StoredToolPin, type ToolStop } from './ports/tool-pins.js';
