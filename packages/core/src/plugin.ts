/** All that a plugin needs of Countersign. */
export { definePlugin, type Implementation, type Plugin, type PluginRegistry } from './host/define-plugin.js';
export type { Live } from './host/live.js';
export { Secret, secret } from './host/secret.js';
export { CoreConfiguration, LiveCoreConfiguration } from './host/configuration/core-configuration.js';
export { duration, filePath, fixed, keyedBy, live } from './host/configuration/marks.js';
export { CountersignError } from './errors/countersign-error.js';
export { OutboundHttpError } from './errors/outbound-http-error.js';
export { ModelRefusedError, type ModelProblem } from './errors/model-refused-error.js';
export { ArtifactStorePort, type StoredContent } from './ports/artifact-store.js';
export { ClockPort } from './ports/clock.js';
export { LoggerPort } from './ports/logger.js';
export {
  OutboundHttpPort,
  type OutboundCredential,
  type OutboundRequest,
  type OutboundResponse,
  type SecretSource,
} from './ports/outbound-http.js';
export { PolicyDraftPort, PolicyPort, type DraftAnswer, type PolicyDraft, type PolicyTexts } from './ports/policy.js';
export * from './ports/storage.js';
export type * from './ports/absences.js';
export type * from './ports/decisions.js';
export type * from './ports/messages.js';
export type * from './ports/inbound-events.js';
export type * from './ports/outbox.js';
export * from './ports/outbound-deliveries.js';
export * from './ports/definitions.js';
export * from './ports/settings.js';
export * from './ports/signing-keys.js';
export * from './ports/tool-pins.js';
export type * from './ports/start-events.js';
export * from './ports/engine.js';
export type * from './ports/records.js';
export type * from './ports/statistics.js';
export {
  BpmnError,
  JobHandlerContribution,
  RetryableFailure,
  TerminalFailure,
  type Job,
} from './contributions/job-handler.js';
export { ConnectorContribution, type ConnectorCall } from './contributions/connector.js';
export { secretName } from './contributions/secret-name.js';
export {
  ToolContribution,
  ToolError,
  type LookedUp,
  type ToolCall,
  type ToolEffect,
  type ToolOutput,
  type UnknownOutcome,
} from './contributions/tool.js';
export { notMade } from './contributions/not-made.js';
export { ToolSourceContribution, type AgentTool } from './contributions/tool-source.js';
export {
  ModelError,
  ModelProviderContribution,
  type ModelAnswer,
  type ModelCall,
  type ModelMessage,
  type ModelPrice,
  type ModelRequest,
  type ModelTool,
  type ModelToolCall,
  type ModelToolResult,
} from './contributions/model-provider.js';
export {
  askAgain,
  configuredPrice,
  modelArguments,
  modelFetch,
  modelHttpFailure,
  modelText,
  modelToolName,
  modelUnreachable,
  refuseKeyInClear,
  unlessAborted,
} from './contributions/model-http/index.js';
export type { RunArtifacts } from './ports/run-artifacts.js';
export { AgentRuntimePort, type AgentCallJob, type AgentTurnJob, type CallOutcome } from './ports/agent-runtime.js';
export {
  AgentCatalogue,
  ToolPinPort,
  type AgentInForce,
  type ToolInForce,
  type ToolPin,
} from './ports/agent-catalogue.js';
export { LifecycleContribution } from './contributions/lifecycle.js';
export { SettingsTestContribution, type SettingsTestCheck } from './contributions/settings-test.js';
export { WebhookContribution, type WebhookAnswer, type WebhookDelivery } from './contributions/webhook.js';
export { ReadinessCheckContribution, type ReadinessResult } from './contributions/readiness-check.js';
export {
  ReceiveInboundEvent,
  type InboundDelivery,
  type RefusedDelivery,
} from './application/receive-inbound-event.js';
export { findJsonProblem, isJsonObject, type Json, type JsonObject } from './domain/json.js';
export { isArtifactName } from './domain/artifact-name.js';
export { canonicalJson } from './domain/canonical-json.js';
export { isoTime } from './domain/iso-time.js';
export type { Absence } from './domain/absence.js';
export type { Actor, RecordedActor } from './domain/principal.js';
export { RISK_LEVELS, maxRisk } from './domain/policy.js';
export type {
  PolicyCall,
  PolicyDecision,
  PolicyFunction,
  PolicyRequest,
  RiskFactor,
  RiskLevel,
  ToolConstraints,
} from './domain/policy.js';
export { chainAudit, commitToAudit, hashAuditRecord, type ChainedAudit } from './domain/audit-chain.js';
export { GENESIS_HASH, type ChainedEvent, type RunEvent } from './domain/run-event.js';
export type { ApprovalDecision, ApprovalStatus, RunOutcome, RunStatus } from './domain/run-state.js';
export type * from './domain/advance-result.js';
export * from './domain/agent.js';
export type { AgentEvents } from './domain/agent-events.js';
export type { AgentDefinition } from './domain/agent-definition.js';
