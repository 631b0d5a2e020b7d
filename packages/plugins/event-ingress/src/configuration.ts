import { duration, keyedBy, live, type Live, secret } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

const messageName = z.string().min(1).max(255);

const EventSourceSchema = z.strictObject({
  Id: z
    .string()
    .max(100)
    .regex(/^[!-~]+$/, 'Expected visible ASCII characters without spaces, since it stands in a header.')
    .describe('What the sender says in `X-Service-Source`.'),
  Secret: secret().describe(
    'What the sender signs with; at least 24 bytes, for Standard Webhooks also as `whsec_` and base64. Empty: the source is disabled.',
  ),
  PreviousSecret: secret().describe(
    'A second secret that signatures may be made with, while senders change to another.',
  ),
  AllowedMessageNames: z
    .array(messageName)
    .optional()
    .describe('Names of messages that the source may deliver. Not set: all; an empty list: none.'),
  RejectReplayedBodies: z
    .boolean()
    .default(false)
    .describe(
      'Whether a body counts once, whatever `X-Service-Delivery` says, which is not signed. Bodies that come without a delivery id count once in any case, and so do ids of Standard Webhooks, which are signed. Holds for what comes from then on.',
    ),
  RequireStandardWebhooks: z
    .boolean()
    .default(false)
    .describe(
      'Whether deliveries have to be signed by Standard Webhooks, with id and time; those by `X-Service-Signature-256` are then refused.',
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
      'By name of a message: how long it is kept for a run that comes to wait for it later. Not set: it is for those who wait already.',
    ),
});

export const EventIngressConfigurationSchema = z.object({
  Integrations: z.object({
    EventIngress: z.object({
      Enabled: live(
        z
          .boolean()
          .default(false)
          .describe('Whether `POST /webhooks/events` is open. While it is not, it answers 404.'),
      ),
      Sources: live(keyedBy('Id', z.array(EventSourceSchema).default([]).describe('Systems that may deliver events.'))),
    }),
  }),
});

type EventIngressConfiguration = z.infer<typeof EventIngressConfigurationSchema>;

export type EventSource = z.infer<typeof EventSourceSchema>;

export type LiveEventIngress = Live<EventIngressConfiguration>;

export const LiveEventIngress: ServiceIdentifier<LiveEventIngress> = Symbol.for(
  '@countersign/event-ingress:LiveEventIngress',
);
