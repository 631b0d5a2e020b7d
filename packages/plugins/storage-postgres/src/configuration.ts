import { duration, deploymentOnly, secret } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

export const PostgresConfigurationSchema = z.object({
  // Deployment-only, because the saved settings are in this database.
  Storage: z.object({
    Postgres: deploymentOnly(
      z.object({
        ConnectionString: secret().describe(
          'Address of an external PostgreSQL server (14 or newer): postgresql://user:password@host:port/database. Empty: embedded PostgreSQL.',
        ),
        PoolSize: z
          .int()
          .min(2)
          .max(200)
          .default(10)
          .describe('Maximum number of connections for commands. The same number may be opened for queries.'),
        CommitTimeout: duration()
          .refine((ms) => ms >= 1_000 && ms <= 60_000, 'Expected a duration from PT1S to PT1M.')
          .prefault('PT8S')
          .describe(
            'How long a commit may take, from PT1S to PT1M. After that, the server replaces the connection and looks up whether the command was committed.',
          ),
        MaxClockOffset: duration()
          .refine((ms) => ms >= 1_000 && ms <= 3_600_000, 'Expected a duration from PT1S to PT1H.')
          .prefault('PT5S')
          .describe(
            'Maximum difference between the clocks of a server and the database, from PT1S to PT1H. The database time always applies; a server whose clock differs by more reports this and fires no timers.',
          ),
        EmbeddedPort: z
          .int()
          .min(1)
          .max(65_535)
          .optional()
          .describe('Port of the embedded PostgreSQL on 127.0.0.1. Default: a free port.'),
        IdempotencyRetention: duration()
          .prefault('P1D')
          .describe('How long responses are stored for retries with the same Idempotency-Key.'),
        InboundEventRetention: duration()
          .prefault('P90D')
          .describe('How long inbound events are kept and their repeats are recognized.'),
      }),
    ),
  }),
});

export type PostgresConfiguration = z.infer<typeof PostgresConfigurationSchema>['Storage']['Postgres'];

export const PostgresConfiguration: ServiceIdentifier<PostgresConfiguration> = Symbol.for(
  '@countersign/storage-postgres:PostgresConfiguration',
);
