import { duration, keyedBy, reloadable, type Live, secret } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

const messageName = z.string().min(1).max(255);

const EventSourceSchema = z.strictObject({
  Id: z
    .string()
    .max(100)
    .regex(/^[!-~]+$/, 'Expected visible ASCII characters without spaces, because the id is sent in a header.')
    .describe('Value that the sender sends in `X-Service-Source`.'),
  Secret: secret().describe(
    'Secret that the sender signs with, at least 24 bytes long. For Standard Webhooks, `whsec_` followed by base64 is also accepted. Empty: the source is disabled.',
  ),
  PreviousSecret: secret().describe('Previous secret, still accepted while the sender changes to the new one.'),
  AllowedMessageNames: z
    .array(messageName)
    .optional()
    .describe('Names of messages that the source may deliver. Not set: all; an empty list: none.'),
  RejectReplayedBodies: z
    .boolean()
    .default(false)
    .describe(
      'Whether the same body is accepted only once, even with another `X-Service-Delivery` id, because that header is not signed. A body without a delivery id is always accepted only once, and so is an id of Standard Webhooks, which is signed. Applies to deliveries received after the change.',
    ),
  RequireStandardWebhooks: z
    .boolean()
    .default(false)
    .describe(
      'Whether deliveries must be signed as in Standard Webhooks, with id and time; deliveries with `X-Service-Signature-256` are then refused.',
    ),
  InexactNumbers: z
    .enum(['refuse', 'text'])
    .default('refuse')
    .describe(
      'How to handle a number that a variable cannot hold exactly, such as an account number of 19 digits: refuse the event, or pass the number on as text.',
    ),
  BufferFor: z
    .record(messageName, duration())
    .default({})
    .describe(
      'How long a message is buffered for a run that waits for it later, by message name. A message whose name is not listed reaches only runs that already wait for it.',
    ),
});

export const EventIngressConfigurationSchema = z.object({
  Integrations: z.object({
    EventIngress: z.object({
      Enabled: reloadable(
        z.boolean().default(false).describe('Whether `POST /webhooks/events` is open. If not, it returns 404.'),
      ),
      Sources: reloadable(
        keyedBy('Id', z.array(EventSourceSchema).default([]).describe('Systems that may deliver events.')),
      ),
    }),
  }),
});

type EventIngressConfiguration = z.infer<typeof EventIngressConfigurationSchema>;

export type EventSource = z.infer<typeof EventSourceSchema>;

export type LiveEventIngress = Live<EventIngressConfiguration>;

export const LiveEventIngress: ServiceIdentifier<LiveEventIngress> = Symbol.for(
  '@countersign/event-ingress:LiveEventIngress',
);
