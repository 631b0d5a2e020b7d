import { routes, webhookRoutes, type OperationId } from '@countersign/contract';
import { LiveCoreConfiguration } from '@countersign/core';
import type { Handler, Handlers } from '../app/route-context.js';
import type { ServerHost } from '../app/server-host.js';
import type { ServedRoute } from '../app/route-table.js';
import { getRequiredRole } from '../app/services.js';
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
import { inboxHandlers } from './inbox.js';
import { inboundEventHandlers } from './inbound-events.js';
import { metaHandlers } from './meta.js';
import { outboundDeliveryHandlers } from './outbound-deliveries.js';
import { peopleHandlers } from './people.js';
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
  ...inboxHandlers,
  ...absenceHandlers,
  ...peopleHandlers,
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

/**
 * Returns the routes of the contract, of plugin webhooks and of the assets of the API documentation. The compiler
 * ensures that every route of the contract has a handler.
 */
export function createServedRoutes(host: ServerHost): ServedRoute[] {
  const liveConfiguration = host.get(LiveCoreConfiguration);
  const contractRoutes = (Object.keys(routes) as OperationId[]).map((operationId): ServedRoute => {
    const definition = routes[operationId];
    return {
      definition,
      get role() {
        return getRequiredRole(liveConfiguration.current, definition);
      },
      ...(operationId in webhookRoutes ? { isOpen: () => isOpenWebhook(host, definition.path) } : {}),
      handler: handlers[operationId] as Handler,
    };
  });
  return [...contractRoutes, ...createPluginWebhookRoutes(host), docsAssetRoute];
}
