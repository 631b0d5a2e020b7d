import { join } from 'node:path';
import { ClockPort, CoreConfiguration, type LifecycleContribution, LoggerPort } from '@countersign/core/plugin';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@countersign/embedded-postgres';
import { inject, injectable } from 'inversify';
import { ClockWatch } from './clock-watch.js';
import { PostgresConfiguration } from './configuration.js';
import { PostgresDatabase } from './database/postgres-database.js';
import { deleteEndedSessions } from './ended-sessions/delete-ended-sessions.js';
import { deleteOldResponses } from './delete-old-responses.js';
import { deleteOldEvents } from './inbound-events/delete-old-events.js';
import { migrate } from './migrate.js';
import { deleteRateCounts } from './rate-counts/delete-rate-counts.js';
import { startRetention, type Retention } from './retention.js';

/**
 * Starts the embedded PostgreSQL unless an external one is configured, then migrates and opens the database. Stops
 * last, together with the embedded server.
 */
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
    @inject(ClockWatch) private readonly clockWatch: ClockWatch,
    @inject(LoggerPort) private readonly log: LoggerPort,
  ) {}

  async start(): Promise<void> {
    const { ConnectionString, PoolSize, CommitTimeout, IdempotencyRetention, InboundEventRetention } =
      this.configuration;
    try {
      const connectionString = ConnectionString.isSet ? ConnectionString.reveal() : await this.#startEmbedded();
      await migrate(connectionString, { log: this.log });
      this.database.open({
        connectionString,
        poolSize: PoolSize,
        commitTimeoutMs: CommitTimeout,
        log: this.log,
        onTime: (reading) => this.clockWatch.applyReading(reading),
      });
      // Read twice, because the first reading includes the time to open the connection.
      for (let count = 0; count < 2; count += 1) await this.database.readTime();
      const { pool } = this.database;
      const responses = {
        dataName: 'idempotency keys',
        deleteOldData: () => deleteOldResponses(pool, IdempotencyRetention),
      };
      const events = {
        dataName: 'inbound events',
        deleteOldData: () => deleteOldEvents(pool, this.clock.now() - InboundEventRetention),
      };
      const sessions = { dataName: 'ended sessions', deleteOldData: () => deleteEndedSessions(pool) };
      const counts = { dataName: 'rate counts', deleteOldData: () => deleteRateCounts(pool) };
      this.#retention = startRetention([responses, events, sessions, counts], this.log);
    } catch (error) {
      await this.stop().catch((cleanupError: unknown) =>
        this.log.error({ err: cleanupError }, 'could not clean up after a failed start'),
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
