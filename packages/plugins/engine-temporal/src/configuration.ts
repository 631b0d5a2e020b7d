import { deploymentOnly, filePath, secret } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

export const TemporalConfigurationSchema = z.object({
  // Deployment-only: jobs and their results depend on the cluster.
  Engine: z.object({
    Temporal: deploymentOnly(
      z.object({
        Address: z
          .string()
          .regex(/^[^\s/:]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/, 'Expected HOST:PORT, for example "localhost:7233".')
          .default('localhost:7233')
          .describe('Address of the frontend of the Temporal cluster: HOST:PORT.'),
        Namespace: z.string().min(1).max(1_000).default('default').describe('Namespace of the cluster.'),
        TaskQueuePrefix: z
          .string()
          .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'Expected letters, digits, ".", "_" and "-", up to 100.')
          .default('countersign')
          .describe(
            'Prefix of task queues and workflow ids. Installations that share a namespace need different prefixes.',
          ),
        MaxPendingAnnouncements: z
          .int()
          .min(1)
          .max(1_000_000)
          .default(10_000)
          .describe(
            'Number of announcements that wait for the cluster from which requests to start runs are refused with 503. Votes and other commands, and starts by messages, timers and other runs, are still accepted.',
          ),
        Tls: z
          .object({
            Enabled: z
              .boolean()
              .optional()
              .describe('Whether connections use TLS. Default: only if ApiKey or one of the other Tls keys is set.'),
            CaFile: filePath()
              .optional()
              .describe('Certificates of the authority that signed that of the cluster, PEM.'),
            CertificateFile: filePath().optional().describe('Client certificate, PEM; requires KeyFile.'),
            KeyFile: filePath().optional().describe('Private key of the client certificate, PEM.'),
            ServerName: z.string().min(1).optional().describe('Name in the certificate, if it is not that of Address.'),
          })
          .refine(
            ({ CertificateFile, KeyFile }) => (CertificateFile === undefined) === (KeyFile === undefined),
            'Give both CertificateFile and KeyFile, or neither.',
          )
          .prefault({}),
        ApiKey: secret().describe('API key, for example of Temporal Cloud. Empty: none is sent.'),
      }),
    ),
  }),
});

export type TemporalConfiguration = z.infer<typeof TemporalConfigurationSchema>['Engine']['Temporal'];

export const TemporalConfiguration: ServiceIdentifier<TemporalConfiguration> = Symbol.for(
  '@countersign/engine-temporal:TemporalConfiguration',
);
