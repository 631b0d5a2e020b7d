import { fixed, live, type Live } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

const hosts = () =>
  z
    .array(
      z
        .string()
        .regex(
          /^[^\s/@?#]+$/,
          'Expected a host such as api.example.org, without https:// in front and without a path.',
        ),
    )
    .default([]);

const credential = z
  .strictObject({
    Type: z
      .enum(['bearer', 'basic', 'header'])
      .default('bearer')
      .describe('How it is sent: `bearer` as a token, `basic` as a password, `header` in a header of its own.'),
    Secret: z.string().min(1).describe('The name of a secret of Connectors:Secrets.'),
    Username: z
      .string()
      .regex(/^[^:]*$/, 'A user name has no colon.')
      .default('')
      .describe('Of `basic`.'),
    Header: z.string().default('').describe('Of `header`: its name, such as X-API-Key.'),
  })
  .refine(({ Type, Header }) => Type !== 'header' || Header !== '', {
    path: ['Header'],
    message: 'Name the header that the secret is sent in.',
  });

export const HttpConnectorConfigurationSchema = z.object({
  Connectors: z.object({
    Http: live(
      z.object({
        AllowedHosts: hosts().describe(
          'Hosts that workflows may call: api.example.org, *.example.org, or * for every public one; with :8443 or :* for other ports than the one of the protocol. None by default.',
        ),
        MaxBytes: z
          .int()
          .min(1)
          .max(104_857_600)
          .default(1_048_576)
          .describe('Largest answer that a workflow takes in, in bytes.'),
      }),
    ),
  }),
  Agents: z.object({
    // Separate from the hosts of workflows: the author of a workflow chooses its targets, but anyone whom an agent
    // listens to may choose the targets of the agent.
    Http: live(
      z.object({
        AllowedHosts: hosts().describe(
          'Hosts that agents may call with http.get and http.request, written as those of Connectors:Http:AllowedHosts. None by default. What an agent has read can reach each of them, in a URL for example.',
        ),
        MaxBytes: z
          .int()
          .min(1)
          .max(1_048_576)
          .default(262_144)
          .describe('Largest answer that an agent takes in, in bytes.'),
        Credentials: fixed(
          z
            .record(
              z.string().regex(/^[A-Za-z][\w-]{0,62}$/, 'Expected a name of letters, digits, "_" and "-".'),
              credential,
            )
            .default({}),
        ).describe(
          'What agents may sign in with, by the name that they call it: which secret, and how it is sent. It goes to the hosts of the secret alone.',
        ),
      }),
    ),
  }),
});

export type HttpConnectorConfiguration = z.infer<typeof HttpConnectorConfigurationSchema>;

export const LiveHttpConnectorConfiguration: ServiceIdentifier<Live<HttpConnectorConfiguration>> = Symbol.for(
  '@countersign/connector-http:LiveConfiguration',
);
