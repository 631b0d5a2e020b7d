import { defineRoute } from '../define-route.js';
import {
  codehostEventResultSchema,
  inboundEventBodySchema,
  inboundEventResultSchema,
} from '../schemas/inbound-event.js';
import { jsonObjectSchema } from '../schemas/common.js';
import { jsonResponse } from './json-response.js';

const webhookRoute = { method: 'post', tag: 'webhooks', role: 'anonymous', signed: true } as const;

export const webhookRoutes = {
  receiveEvent: defineRoute({
    ...webhookRoute,
    operationId: 'receiveEvent',
    path: '/webhooks/events',
    summary: 'Deliver an event',
    description: `Receives an event from a registered system (\`Integrations:EventIngress:Sources\`). Requires the headers \`X-Service-Source\` (its id) and \`X-Service-Signature-256\` (\`sha256=\` and the hexadecimal HMAC-SHA256 of the body, with the secret of the source as the key). \`X-Service-Delivery\` is an idempotency key; without it, the signature serves as the key.

An unknown source, a disabled source and an invalid signature get the same response.`,
    body: inboundEventBodySchema,
    responses: {
      200: jsonResponse(inboundEventResultSchema, 'The event is recorded, and the runs that waited for it resume.'),
    },
    errors: [
      'route_not_found',
      'invalid_event',
      'invalid_signature',
      'message_not_allowed',
      'payload_too_large',
      'result_variable_reserved',
      'command_not_storable',
    ],
  }),
  receiveCodehostEvent: defineRoute({
    ...webhookRoute,
    operationId: 'receiveCodehostEvent',
    path: '/webhooks/codehost',
    summary: 'Deliver an event of a code host',
    description:
      'Receives webhooks of GitHub, Gitea, Forgejo and GitLab (`Integrations:CodeHost`). An event becomes the message `codehost.<event>.<action>` with the correlation key `owner/repo#number` or `owner/repo`.',
    body: jsonObjectSchema,
    responses: {
      202: jsonResponse(codehostEventResultSchema, 'The event is recorded, and the runs that waited for it resume.'),
    },
    errors: ['route_not_found', 'invalid_event', 'invalid_signature', 'payload_too_large', 'command_not_storable'],
  }),
};
