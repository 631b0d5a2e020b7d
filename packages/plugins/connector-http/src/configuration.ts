import { live, type Live } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

export const HttpConnectorConfigurationSchema = z.object({
  Connectors: z.object({
    Http: live(
      z.object({
        AllowedHosts: z
          .array(z.string().regex(/^[^\s/@?#]+$/, 'Expected a host such as api.example.org, without https:// in front and without a path.'))
          .default([])
          .describe('Hosts that workflows may call: api.example.org, *.example.org, or * for every public one; with :8443 or :* for other ports than the one of the protocol. None by default.'),
        MaxBytes: z.int().min(1).max(104_857_600).default(1_048_576).describe('Largest answer that a workflow takes in, in bytes.'),
      }),
    ),
  }),
});

export type HttpConnectorConfiguration = z.infer<typeof HttpConnectorConfigurationSchema>;

export const LiveHttpConnectorConfiguration: ServiceIdentifier<Live<HttpConnectorConfiguration>> = Symbol.for('@countersign/connector-http:LiveConfiguration');
