import { duration, keyedBy, reloadable, type Live, secret } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

const Endpoint = z.strictObject({
  Id: z.string().regex(/^[A-Za-z0-9][\w.-]{0,63}$/, 'Expected letters, digits, ".", "_" and "-".'),
  Kind: z
    .enum(['webhook', 'slack'])
    .default('webhook')
    .describe('"webhook": signed CloudEvents. "slack": an incoming webhook of Slack or a compatible service.'),
  Url: secret().describe('URL that notifications are sent to. URLs of Slack are secrets.'),
  Secret: secret().describe(
    'Key to sign webhooks with: "whsec_" and 24 to 64 bytes in base64 (Standard Webhooks). Not for Slack.',
  ),
});

/** Retry delays as recommended by Standard Webhooks: short at first, about three days in total. */
const RETRY_AFTER = ['PT5S', 'PT5M', 'PT30M', 'PT2H', 'PT5H', 'PT10H', 'PT14H', 'PT20H', 'PT24H'];

export const NotifyConfigurationSchema = z.object({
  Connectors: z.object({
    Notify: reloadable(
      z.object({
        Endpoints: keyedBy('Id', z.array(Endpoint).default([])).describe(
          'Endpoints that workflows may notify, each with an Id, a Kind, a Url, and a Secret to sign with.',
        ),
        Source: z
          .string()
          .min(1)
          .default('/countersign')
          .describe(
            'URI that identifies this installation. It is the start of the source of events (CloudEvents); the workflow is appended.',
          ),
        SigningKeyEndpoints: z
          .array(z.string())
          .default([])
          .describe(
            'Ids of the endpoints that are notified of each signing key that is registered, enrolled or revoked, so that its owner learns of it outside of this product.',
          ),
        RetryAfter: z
          .array(duration())
          .prefault(RETRY_AFTER)
          .describe('Pauses between the attempts of a delivery. After the last attempt, the delivery has failed.'),
        Timeout: duration().prefault('PT15S').describe('How long an endpoint may take to respond.'),
        DisableAfter: duration()
          .prefault('P5D')
          .describe('An endpoint is disabled if all attempts fail for this long, or if it responds with status 410.'),
        KeepFor: duration().prefault('P30D').describe('How long finished deliveries are listed.'),
      }),
    ),
  }),
});

export type NotifyConfiguration = z.infer<typeof NotifyConfigurationSchema>;

export type Endpoint = z.infer<typeof Endpoint>;

export const LiveNotifyConfiguration: ServiceIdentifier<Live<NotifyConfiguration>> = Symbol.for(
  '@countersign/connector-notify:LiveConfiguration',
);
