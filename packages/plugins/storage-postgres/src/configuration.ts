import { duration, fixed, secret } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

export const PostgresConfigurationSchema = z.object({
  // Deployment-only, because the saved settings are in this database.
  Storage: z.object({
    Postgres: fixed(
      z.object({
        ConnectionString: secret().describe(
          'postgresql://user:password@host:port/database of an external PostgreSQL (14 or newer). Empty: an embedded one.',
        ),
        PoolSize: z
          .int()
          .min(2)
          .max(200)
          .default(10)
          .describe('Connections for commands; as many again may be opened for queries.'),
        CommitTimeout: duration()
          .refine((ms) => ms >= 1_000 && ms <= 60_000, 'Expected a duration from PT1S to PT1M.')
          .prefault('PT8S')
          .describe(
            'How long a commit may take, from PT1S to PT1M. After that its connection is given up and another one is opened, and the command is looked up.',
          ),
        MaxClockOffset: duration()
          .refine((ms) => ms >= 1_000 && ms <= 3_600_000, 'Expected a duration from PT1S to PT1H.')
          .prefault('PT5S')
          .describe(
            'How far the clock of a server may be from that of the database, from PT1S to PT1H. Time is that of the database in any case; a server whose clock is off by more says so and fires no timers.',
          ),
        EmbeddedPort: z
          .int()
          .min(1)
          .max(65_535)
          .optional()
          .describe('Port of the embedded PostgreSQL on 127.0.0.1. By default a free one.'),
        IdempotencyRetention: duration()
          .prefault('P1D')
          .describe('How long answers are kept to be given again under the same Idempotency-Key.'),
        InboundEventRetention: duration()
          .prefault('P90D')
          .describe('How long events of other systems stay recorded, and their repeats are known as such.'),
      }),
    ),
  }),
});

export type PostgresConfiguration = z.infer<typeof PostgresConfigurationSchema>['Storage']['Postgres'];

export const PostgresConfiguration: ServiceIdentifier<PostgresConfiguration> = Symbol.for(
  '@countersign/storage-postgres:PostgresConfiguration',
);
