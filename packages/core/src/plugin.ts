/**
 * What plugins use. Each group says why it is here; docs/api/core-plugin.md lists it with its declarations. Names of
 * @countersign/model are imported from there, but for the few that almost every plugin needs.
 */

// Declaring a plugin: the one export of its package, its part of the configuration, and values that change while the server runs.
export { definePlugin, type Implementation, type Plugin } from './host/define-plugin.js';
export { PLUGIN_API_VERSION } from './host/plugin-api.js';
export type { Live } from './host/live.js';
export { Secret, secret } from './host/secret.js';
export { duration, filePath, fixed, keyedBy, live } from './host/configuration/schema-metadata.js';
export { CoreConfiguration, LiveCoreConfiguration } from './host/configuration/core-configuration.js';

// Values and errors: JSON that goes in and out, errors that reach clients with a code of the API or of the plugin, and those that keep the server from starting; what else the model has is in @countersign/model.
export {
  ApiError,
  defineErrorCode,
  isApiError,
  isStartupError,
  StartupError,
  type Json,
  type JsonObject,
  type PluginErrorCode,
} from '@countersign/model';
/** @deprecated The first names, for plugins that were built with them. */
export { ApiError as CountersignError, isApiError as isCountersignError } from '@countersign/model';

// Services of the host: what a plugin's classes may have injected, whatever they do.
export { ClockPort } from './ports/clock.js';
export { LoggerPort } from './ports/logger.js';
export { FailureLog } from './application/failure-log.js';
export { SecretPlaces } from './host/configuration/secret-places.js';
export { Redactor } from './application/agents/redactor.js';

// Start, stop and health: what runs as long as the server does, and how administrators learn that it fares well.
export { LifecycleContribution } from './contributions/lifecycle.js';
export { ReadinessCheckContribution, type ReadinessResult } from './contributions/readiness-check.js';
export {
  isSettingsTestFailure,
  SettingsTestContribution,
  SettingsTestFailure,
  type SettingsTestCheck,
} from './contributions/settings-test.js';

// Jobs: what does the work of service tasks, and the three ways in which it may fail.
export {
  BpmnError,
  isBpmnError,
  isRetryableFailure,
  isTerminalFailure,
  JobHandlerContribution,
  RetryableFailure,
  TerminalFailure,
  type Job,
} from './contributions/job-handler.js';

// Connectors and outbound calls: calls of other systems, with inputs that are checked, through the guarded HTTP client.
export { ConnectorContribution, type ConnectorCall } from './contributions/connector.js';
export { toToolFailure } from './contributions/to-tool-failure.js';
export { secretName } from './contributions/secret-name.js';
export { findInexactScalar, INEXACT_SCALAR } from './contributions/yaml-numbers.js';
export {
  OutboundHttpPort,
  type OutboundCredential,
  type OutboundRequest,
  type OutboundResponse,
  type OutboundStream,
} from './ports/outbound-http.js';
export { isOutboundHttpError, OutboundHttpError } from './errors/outbound-http-error.js';

// Webhooks: requests that other systems send, and handing over the events that were verified.
export { WebhookContribution, type WebhookAnswer, type WebhookDelivery } from './contributions/webhook.js';
export { ReceiveInboundEvent } from './application/receive-inbound-event.js';
export type { ReceivedEvent } from './ports/engine.js';

// Tools of agents: single tools, sources of tools that come and go, and the pins that say which of their descriptions are accepted.
export {
  isToolError,
  ToolContribution,
  ToolError,
  type LookupResult,
  type ToolCall,
  type ToolEffect,
  type ToolOutput,
} from './contributions/tool.js';
export { ToolSourceContribution, type AgentTool } from './contributions/tool-source.js';
export { ToolPinPort, type ToolPin } from './ports/agent-catalogue.js';
export type { RunArtifacts } from './ports/run-artifacts.js';

// Model providers: the language models of agents, and what providers that speak HTTP have in common.
export {
  isModelError,
  ModelError,
  ModelProviderContribution,
  type ModelAnswer,
  type ModelCall,
  type ModelMessage,
  type ModelPrice,
  type ModelRequest,
  type ModelToolCall,
  type ModelToolResult,
  type ModelUsage,
} from './contributions/model-provider.js';
export {
  retryModelRequest,
  configuredPrice,
  errorWithin,
  modelArguments,
  ModelErrorBody,
  modelFailure,
  modelFetch,
  modelPrices,
  modelText,
  modelToolName,
  modelUsage,
  NO_ANSWER,
  readError,
  readErrorText,
  refuseKeyInClear,
  type ReportedUsage,
  type ResponseInProgress,
  retryAfterMs,
  knownStopKind,
  stopKind,
  tellDiscarded,
  unlessAborted,
} from './contributions/model-http/index.js';

// Agent runtimes: what takes the turns of agents in place of the built-in runtime, and what an engine calls.
export { AgentRuntimePort, type AgentCallJob, type AgentTurnJob, type CallOutcome } from './ports/agent-runtime.js';

// Policies: what decides whether a step or a call may run, and tries out drafts of policies.
export { PolicyDraftPort, PolicyPort, type DraftAnswer, type PolicyDraft, type PolicyTexts } from './ports/policy.js';

// Artifact stores: where the bytes of artifacts are kept.
export { ArtifactStorePort, type StoredContent } from './ports/artifact-store.js';
