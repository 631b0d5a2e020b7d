import type { RouteDefinition } from '../define-route.js';
import { absenceRoutes } from './absences.js';
import { agentRoutes } from './agents.js';
import { approvalRoutes } from './approvals.js';
import { artifactRoutes } from './artifacts.js';
import { authRoutes } from './auth.js';
import { bulkRunRoutes } from './bulk-runs.js';
import { conversationRoutes } from './conversation.js';
import { decisionRoutes } from './decisions.js';
import { eventRoutes } from './events.js';
import { evidenceRoutes } from './evidence.js';
import { healthRoutes } from './health.js';
import { inboundEventRoutes } from './inbound-events.js';
import { inboxRoutes } from './inbox.js';
import { metaRoutes } from './meta.js';
import { outboundDeliveryRoutes } from './outbound-deliveries.js';
import { policyRoutes } from './policies.js';
import { peopleRoutes } from './people.js';
import { personalDataRoutes } from './personal-data.js';
import { runRoutes } from './runs.js';
import { settingsRoutes } from './settings.js';
import { signingKeyRoutes } from './signing-keys.js';
import { webhookRoutes } from './webhooks.js';
import { workflowRoutes } from './workflows.js';

export { webhookRoutes };

/** Every route of the API by its operation id. Plugin routes are added when the document is built. */
export const routes = Object.freeze({
  ...healthRoutes,
  ...authRoutes,
  ...workflowRoutes,
  ...decisionRoutes,
  ...runRoutes,
  ...personalDataRoutes,
  ...bulkRunRoutes,
  ...eventRoutes,
  ...approvalRoutes,
  ...inboxRoutes,
  ...absenceRoutes,
  ...peopleRoutes,
  ...signingKeyRoutes,
  ...conversationRoutes,
  ...agentRoutes,
  ...artifactRoutes,
  ...evidenceRoutes,
  ...inboundEventRoutes,
  ...webhookRoutes,
  ...outboundDeliveryRoutes,
  ...policyRoutes,
  ...settingsRoutes,
  ...metaRoutes,
} satisfies Record<string, RouteDefinition>);

export type Routes = typeof routes;
export type OperationId = keyof Routes;
