import { deploymentOnly, reloadable, type Live } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

const hosts = () =>
  z
    .array(
      z.string().regex(/^[^\s/@?#]+$/, 'Expected a host such as api.example.org, without https:// and without a path.'),
    )
    .default([]);

const credential = z
  .strictObject({
    Type: z
      .enum(['bearer', 'basic', 'header'])
      .default('bearer')
      .describe('How the secret is sent: `bearer` as a token, `basic` as a password, `header` in a separate header.'),
    Secret: z.string().min(1).describe('The name of a secret of Connectors:Secrets.'),
    Username: z
      .string()
      .regex(/^[^:]*$/, 'Expected a user name without a colon.')
      .default('')
      .describe('User name for `basic`.'),
    Header: z.string().default('').describe('Name of the header for `header`, such as X-API-Key.'),
  })
  .refine(({ Type, Header }) => Type !== 'header' || Header !== '', {
    path: ['Header'],
    message: 'Expected the name of the header that the secret is sent in.',
  });

export const HttpConnectorConfigurationSchema = z.object({
  Connectors: z.object({
    Http: reloadable(
      z.object({
        AllowedHosts: hosts().describe(
          'Hosts that workflows may call: api.example.org, *.example.org, or * for every public host; with :8443 or :* for ports other than the default port of the protocol. None by default.',
        ),
        MaxBytes: z
          .int()
          .min(1)
          .max(104_857_600)
          .default(1_048_576)
          .describe('Largest response that a workflow accepts, in bytes.'),
      }),
    ),
  }),
  Agents: z.object({
    // Separate from the hosts of workflows: the author of a workflow chooses its targets, but the author of any text
    // that an agent reads may influence the targets of the agent.
    Http: reloadable(
      z.object({
        AllowedHosts: hosts().describe(
          'Hosts that agents may call with http.get and http.request, in the format of Connectors:Http:AllowedHosts. None by default. An agent can send anything that it has read to each of these hosts, for example in a URL.',
        ),
        MaxBytes: z
          .int()
          .min(1)
          .max(1_048_576)
          .default(262_144)
          .describe('Largest response that an agent accepts, in bytes.'),
        Credentials: deploymentOnly(
          z
            .record(
              z.string().regex(/^[A-Za-z][\w-]{0,62}$/, 'Expected a name of letters, digits, "_" and "-".'),
              credential,
            )
            .default({}),
        ).describe(
          'Credentials that agents may use, by name: which secret, and how it is sent. It is sent only to the hosts of the secret.',
        ),
      }),
    ),
  }),
});

export type HttpConnectorConfiguration = z.infer<typeof HttpConnectorConfigurationSchema>;

export const LiveHttpConnectorConfiguration: ServiceIdentifier<Live<HttpConnectorConfiguration>> = Symbol.for(
  '@countersign/connector-http:LiveConfiguration',
);
