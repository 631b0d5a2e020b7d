import { fixed, live, type Live, secret } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';
import { isHostPattern } from './host-patterns.js';
import { parseNetwork } from './networks.js';

const host = z
  .string()
  .refine(
    isHostPattern,
    'Expected a host such as api.example.org, *.example.org or [fd00::1], with :port where it is not that of the protocol.',
  );
const network = z
  .string()
  .refine((text) => parseNetwork(text) !== undefined, 'Expected a network such as 10.1.0.0/16, or an address.');

export const OutboundConfigurationSchema = z.object({
  Connectors: z.object({
    // Deployment-only: the limits for targets of calls and secrets are set by the deployer, not by the holder of an
    // admin token.
    AllowedNetworks: fixed(z.array(network).default([])).describe(
      'Networks such as 10.1.0.0/16 that connectors may reach beside public addresses. Link-local addresses, and so the metadata services of clouds, stay closed.',
    ),
    Secrets: live(
      z
        .record(
          z.string().regex(/^[A-Za-z][\w-]{0,62}$/, 'Expected a name of letters, digits, "_" and "-".'),
          z.strictObject({
            Value: secret().describe('The secret itself.'),
            Hosts: fixed(z.array(host).default([])).describe(
              'Where it may be sent: hosts such as api.example.org or *.example.org.',
            ),
          }),
        )
        .default({}),
    ).describe(
      'Secrets that workflows name and never see, by name: each with its `Value`, and the `Hosts` that it may be sent to.',
    ),
  }),
});

export type OutboundConfiguration = z.infer<typeof OutboundConfigurationSchema>;

export const LiveOutboundConfiguration: ServiceIdentifier<Live<OutboundConfiguration>> = Symbol.for(
  '@countersign/outbound-http:LiveOutboundConfiguration',
);
