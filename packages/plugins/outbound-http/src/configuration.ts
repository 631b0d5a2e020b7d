import { deploymentOnly, reloadable, type Live, secret } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';
import { isHostPattern } from './host-patterns.js';
import { parseNetwork } from './networks.js';

const hostSchema = z
  .string()
  .refine(
    isHostPattern,
    'Expected a host such as api.example.org, *.example.org or [fd00::1], with :port if it is not the default port of the protocol.',
  );
const networkSchema = z
  .string()
  .refine((text) => parseNetwork(text) !== undefined, 'Expected a network such as 10.1.0.0/16, or an address.');

export const OutboundConfigurationSchema = z.object({
  Connectors: z.object({
    // Deployment-only: the limits for targets of calls and secrets are set by the deployer, not by the holder of an
    // admin token.
    AllowedNetworks: deploymentOnly(z.array(networkSchema).default([])).describe(
      'Networks such as 10.1.0.0/16 that connectors may reach in addition to public addresses. Link-local addresses and the metadata services of clouds stay blocked.',
    ),
    Secrets: reloadable(
      z
        .record(
          z.string().regex(/^[A-Za-z][\w-]{0,62}$/, 'Expected a name of letters, digits, "_" and "-".'),
          z.strictObject({
            Value: secret().describe('Value of the secret.'),
            Hosts: deploymentOnly(z.array(hostSchema).default([])).describe(
              'Hosts to which the secret may be sent, such as api.example.org or *.example.org.',
            ),
          }),
        )
        .default({}),
    ).describe(
      'Secrets by name. Workflows use the name and never see the value. Each has a `Value` and the `Hosts` to which it may be sent.',
    ),
  }),
});

export type OutboundConfiguration = z.infer<typeof OutboundConfigurationSchema>;

export const LiveOutboundConfiguration: ServiceIdentifier<Live<OutboundConfiguration>> = Symbol.for(
  '@countersign/outbound-http:LiveOutboundConfiguration',
);
