import { duration, keyedBy, live, type Live, secret } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

const Endpoint = z.strictObject({
  Id: z.string().regex(/^[A-Za-z0-9][\w.-]{0,63}$/, 'Expected letters, digits, ".", "_" and "-".'),
  Kind: z
    .enum(['webhook', 'slack'])
    .default('webhook')
    .describe('"webhook": signed CloudEvents. "slack": an incoming webhook of Slack, or of what takes the same.'),
  Url: secret().describe('Where it is sent. Those of Slack are secrets.'),
  Secret: secret().describe(
    'Signs webhooks: "whsec_" and 24 to 64 bytes in base64 (Standard Webhooks). Not for Slack.',
  ),
});

/** Retry delays as recommended by Svix and Standard Webhooks: short at first, then for about three days in total. */
const RETRY_AFTER = ['PT5S', 'PT5M', 'PT30M', 'PT2H', 'PT5H', 'PT10H', 'PT14H', 'PT20H', 'PT24H'];

export const NotifyConfigurationSchema = z.object({
  Connectors: z.object({
    Notify: live(
      z.object({
        Endpoints: keyedBy('Id', z.array(Endpoint).default([])).describe(
          'Whom workflows may notify: each with an Id, a Kind, a Url, and a Secret to sign with.',
        ),
        Source: z
          .string()
          .min(1)
          .default('/countersign')
          .describe(
            'What events name as their source (CloudEvents), in front of the workflow: a URI that tells this installation from others.',
          ),
        SigningKeyEndpoints: z
          .array(z.string())
          .default([])
          .describe(
            'The Ids of the endpoints that are told of each signing key that is registered, enrolled or revoked, so that its owner hears of it outside of this product.',
          ),
        RetryAfter: z
          .array(duration())
          .prefault(RETRY_AFTER)
          .describe(
            'How long after each failed attempt the next one is made. After the last one, a delivery has failed.',
          ),
        Timeout: duration().prefault('PT15S').describe('How long an endpoint may take to answer.'),
        DisableAfter: duration()
          .prefault('P5D')
          .describe('An endpoint that has only failed for so long is disabled, as one is that answers 410.'),
        KeepFor: duration().prefault('P30D').describe('How long deliveries are listed after they have come to an end.'),
      }),
    ),
  }),
});

export type NotifyConfiguration = z.infer<typeof NotifyConfigurationSchema>;

export type Endpoint = z.infer<typeof Endpoint>;

export const LiveNotifyConfiguration: ServiceIdentifier<Live<NotifyConfiguration>> = Symbol.for(
  '@countersign/connector-notify:LiveConfiguration',
);
