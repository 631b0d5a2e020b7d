import { join } from 'node:path';
import { ClockPort, CoreConfiguration, LoggerPort, type LifecycleContribution } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { PostgresConfiguration } from './configuration.js';
import { PostgresDatabase } from './database/postgres-database.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded/index.js';
import { deleteOldAnswers } from './idempotency-retention.js';
import { deleteOldEvents } from './inbound-events/delete-old-events.js';
import { migrate } from './migrate.js';
import { startRetention, type Retention } from './retention.js';

/** Starts or finds the database, migrates it and opens it; stops last what it started. */
@injectable()
export class PostgresLifecycle implements LifecycleContribution {
  readonly name = 'storage-postgres';
  #embedded: EmbeddedPostgres | undefined;
  #retention: Retention | undefined;

  constructor(
    @inject(PostgresConfiguration) private readonly configuration: PostgresConfiguration,
    @inject(CoreConfiguration) private readonly core: CoreConfiguration,
    @inject(PostgresDatabase) private readonly database: PostgresDatabase,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(LoggerPort) private readonly log: LoggerPort,
  ) {}

  async start(): Promise<void> {
    const { ConnectionString, PoolSize, IdempotencyRetention, InboundEventRetention } = this.configuration;
    try {
      const connectionString = ConnectionString.isSet ? ConnectionString.reveal() : await this.#startEmbedded();
      await migrate(connectionString, { log: this.log });
      this.database.open({ connectionString, poolSize: PoolSize, log: this.log });
      const { pool } = this.database;
      const answers = { what: 'idempotency keys', forget: () => deleteOldAnswers(pool, IdempotencyRetention) };
      const events = {
        what: 'inbound events',
        forget: () => deleteOldEvents(pool, this.clock.now() - InboundEventRetention),
      };
      this.#retention = startRetention([answers, events], this.log);
    } catch (error) {
      await this.stop().catch((second: unknown) =>
        this.log.error({ err: second }, 'clearing away after a failed start failed too'),
      );
      throw error;
    }
  }

  async stop(): Promise<void> {
    try {
      await this.#retention?.stop();
      await this.database.close();
    } finally {
      this.#retention = undefined;
      await this.#embedded?.stop();
      this.#embedded = undefined;
    }
  }

  async #startEmbedded(): Promise<string> {
    this.#embedded = await startEmbeddedPostgres({
      dataDirectory: join(this.core.Data.Directory, 'postgres'),
      log: this.log,
      port: this.configuration.EmbeddedPort,
    });
    return this.#embedded.connectionString;
  }
}
