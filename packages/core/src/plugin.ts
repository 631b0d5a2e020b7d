/**
 * The API for plugins. Each group states its purpose; docs/api/core-plugin.md lists it with its declarations. Most
 * names of @countersign/model must be imported from there; this module re-exports only those that almost every plugin
 * needs.
 */

// Declaring a plugin: the package's single export, its part of the configuration, and values that change while the
// server runs.
export { definePlugin, type Implementation, type Plugin, type PluginRegistry } from './host/define-plugin.js';
export { PLUGIN_API_VERSION } from './host/plugin-api.js';
export type { Live } from './host/live.js';
export { Secret, secret } from './host/secret.js';
export { duration, filePath, deploymentOnly, keyedBy, reloadable } from './host/configuration/schema-metadata.js';
export { CoreConfiguration, LiveCoreConfiguration } from './host/configuration/core-configuration.js';

// Values and errors: JSON for input and output, errors that reach clients with a code of the API or of the plugin, and
// errors that prevent the server from starting. Import related names from @countersign/model.
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
/** @deprecated Former names, for plugins that were built with them. */
export { ApiError as CountersignError, isApiError as isCountersignError } from '@countersign/model';

// Services of the host: services that any class of a plugin can inject.
export { ClockPort } from './ports/clock.js';
export { LoggerPort } from './ports/logger.js';
export { FailureLog } from './application/failure-log.js';
export { SecretLocations } from './host/configuration/secret-locations.js';
export { Redactor } from './application/agents/redactor.js';

// Start, stop and health: tasks that run while the server runs, and health information for administrators.
export { LifecycleContribution } from './contributions/lifecycle.js';
export { ReadinessCheckContribution, type ReadinessResult } from './contributions/readiness-check.js';
export {
  isSettingsTestFailure,
  SettingsTestContribution,
  SettingsTestFailure,
  type SettingsTestCheck,
} from './contributions/settings-test.js';

// Jobs: handlers for the jobs of service tasks, and the three ways in which a job may fail.
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

// Connectors and outbound calls: calls to other systems, with validated inputs, through the guarded HTTP client.
export { ConnectorContribution, type ConnectorCall } from './contributions/connector.js';
export { toToolFailure } from './contributions/to-tool-failure.js';
export { secretName } from './contributions/secret-name.js';
export { findInexactNumber, INEXACT_NUMBER_MESSAGE } from './contributions/find-inexact-number.js';
export {
  OutboundHttpPort,
  type OutboundCredential,
  type OutboundRequest,
  type OutboundResponse,
  type OutboundStream,
} from './ports/outbound-http.js';
export { isOutboundHttpError, OutboundHttpError } from './errors/outbound-http-error.js';

// Webhooks: requests from other systems, and the submission of verified events.
export { WebhookContribution, type WebhookResponse, type WebhookDelivery } from './contributions/webhook.js';
export { ReceiveInboundEvent } from './application/receive-inbound-event.js';
export type { ReceivedEvent } from './ports/engine.js';

// Tools of agents: single tools, sources of tools that change at run time, and pins that state which tool descriptions
// are accepted.
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

// Model providers: the language models of agents, and shared helpers for providers that use HTTP.
export {
  isModelError,
  ModelError,
  ModelProviderContribution,
  type ModelCompletion,
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
  findConfiguredPrice,
  findError,
  parseModelArguments,
  ModelResponseError,
  toModelError,
  createModelFetch,
  createPricesSchema,
  sanitizeModelText,
  toProviderToolName,
  toModelUsage,
  EMPTY_COMPLETION_TEXT,
  parseErrorBody,
  parseErrorText,
  assertApiKeyEncryptedInTransit,
  type ReportedUsage,
  type ResponseInProgress,
  parseRetryAfterMs,
  findStopKind,
  requireStopKind,
  reportIfDiscarded,
  withModelErrors,
} from './contributions/model-http/index.js';

// Agent runtimes: replacements for the built-in runtime, which execute agent turns when an engine calls them.
export { AgentRuntimePort, type AgentCallJob, type AgentTurnJob, type CallOutcome } from './ports/agent-runtime.js';

// Policies: decisions about whether a step or a call may run, and trials of policy drafts.
export { PolicyDraftPort, PolicyPort, type DraftResult, type PolicyDraft, type PolicyTexts } from './ports/policy.js';

// Artifact stores: storage for artifact content.
export { ArtifactStorePort, type StoredContent } from './ports/artifact-store.js';
