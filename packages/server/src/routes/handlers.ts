import { routes, webhookRoutes, type OperationId } from '@countersign/contract';
import { LiveCoreConfiguration } from '@countersign/core';
import type { Handler, Handlers } from '../app/route-context.js';
import type { ServerHost } from '../app/host.js';
import type { ServedRoute } from '../app/route-table.js';
import { requiredRole } from '../app/services.js';
import { absenceHandlers } from './absences.js';
import { agentHandlers } from './agents.js';
import { approvalHandlers } from './approvals.js';
import { artifactHandlers } from './artifacts.js';
import { authHandlers } from './auth.js';
import { bulkRunHandlers } from './bulk-runs.js';
import { conversationHandlers } from './conversation.js';
import { decisionHandlers } from './decisions.js';
import { docsAssetRoute } from './docs-asset-route.js';
import { eventHandlers } from './events.js';
import { evidenceHandlers } from './evidence.js';
import { healthHandlers } from './health.js';
import { inboundEventHandlers } from './inbound-events.js';
import { metaHandlers } from './meta.js';
import { outboundDeliveryHandlers } from './outbound-deliveries.js';
import { policyHandlers } from './policies.js';
import { runHandlers } from './runs.js';
import { signingKeyHandlers } from './signing-keys.js';
import { settingsHandlers } from './settings.js';
import { isOpenWebhook, createPluginWebhookRoutes, webhookHandlers } from './webhooks.js';
import { workflowHandlers } from './workflows.js';

const handlers: Handlers = {
  ...healthHandlers,
  ...authHandlers,
  ...workflowHandlers,
  ...decisionHandlers,
  ...runHandlers,
  ...bulkRunHandlers,
  ...eventHandlers,
  ...approvalHandlers,
  ...absenceHandlers,
  ...signingKeyHandlers,
  ...conversationHandlers,
  ...agentHandlers,
  ...artifactHandlers,
  ...evidenceHandlers,
  ...inboundEventHandlers,
  ...webhookHandlers,
  ...outboundDeliveryHandlers,
  ...policyHandlers,
  ...settingsHandlers,
  ...metaHandlers,
};

/** Returns every route of the contract with its handler; the compiler ensures that none is missing. */
export function createServedRoutes(host: ServerHost): ServedRoute[] {
  const liveConfiguration = host.get(LiveCoreConfiguration);
  const contractRoutes = (Object.keys(routes) as OperationId[]).map((operationId): ServedRoute => {
    const definition = routes[operationId];
    return {
      definition,
      get role() {
        return requiredRole(liveConfiguration.current, definition);
      },
      ...(operationId in webhookRoutes ? { isOpen: () => isOpenWebhook(host, definition.path) } : {}),
      handler: handlers[operationId] as Handler,
    };
  });
  return [...contractRoutes, ...createPluginWebhookRoutes(host), docsAssetRoute];
}
