import { duration, fixed, secret } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

export const PostgresConfigurationSchema = z.object({
  // Fixed: the saved settings lie in this database.
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
