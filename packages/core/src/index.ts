export * from './plugin.js';
export * from './ports.js';
export { AgentCatalogue, type AvailableAgent, type AvailableTool } from './ports/agent-catalogue.js';
export type { InboundEventInput } from './application/receive-inbound-event.js';
export { isModelRefusedError, ModelRefusedError, type Actor } from '@countersign/model';
export * from './application/index.js';
export * from './host/index.js';
export { createHost } from './built-in/create-host.js';
