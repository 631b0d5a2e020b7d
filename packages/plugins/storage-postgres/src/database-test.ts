import { type SettingsTestCheck, type SettingsTestContribution, SettingsTestFailure } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { PostgresConfiguration } from './configuration.js';
import { PostgresDatabase } from './database/postgres-database.js';
import { MIGRATIONS_TABLE } from './migrate.js';
import { MIGRATIONS } from './migrations/index.js';

/** Tests the database operations of the storage. Commits nothing. */
@injectable()
export class DatabaseTest implements SettingsTestContribution {
  readonly target = 'database';

  constructor(
    @inject(PostgresDatabase) private readonly database: PostgresDatabase,
    @inject(PostgresConfiguration) private readonly configuration: PostgresConfiguration,
  ) {}

  checks(): readonly SettingsTestCheck[] {
    return [
      { name: 'the schema is up to date', run: () => this.#checkSchema() },
      { name: 'a row can be written', run: () => this.#checkWrite() },
      { name: 'the clocks agree', run: () => this.#checkClock() },
    ];
  }

  async #checkSchema(): Promise<string> {
    const { rows } = await this.database.pool.query<{ name: string }>(
      `SELECT name FROM ${MIGRATIONS_TABLE} ORDER BY id`,
    );
    const missing = MIGRATIONS.filter(({ name }) => !rows.some((row) => row.name === name));
    if (missing.length > 0)
      throw new SettingsTestFailure(
        `Missing migrations: ${missing.map(({ name }) => name).join(', ')}. Run countersign migrate.`,
      );
    return `Last migration: ${rows.at(-1)?.name ?? 'none'}.`;
  }

  async #checkWrite(): Promise<string> {
    const client = await this.database.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(
        `INSERT INTO idempotency_keys (scope, key, request_digest, response) VALUES ('settings-test', gen_random_uuid()::text, '', '{}')`,
      );
      return 'A row was written and rolled back.';
    } finally {
      const rollbackError = await client.query('ROLLBACK').then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
      );
      client.release(rollbackError);
    }
  }

  async #checkClock(): Promise<string> {
    const before = Date.now();
    const { rows } = await this.database.pool.query<{ now: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
    );
    const after = Date.now();
    const databaseTime = rows[0]?.now ?? Number.NaN;
    const differenceMs = databaseTime < before ? before - databaseTime : Math.max(0, databaseTime - after);
    if (!(differenceMs <= this.configuration.MaxClockOffset))
      throw new SettingsTestFailure(
        `The clocks of the server and the database differ by ${(differenceMs / 1_000).toFixed(1)} s, more than Storage:Postgres:MaxClockOffset allows, so this server fires no timers. Synchronize both with a time server.`,
      );
    return `Within ${Math.ceil(differenceMs)} ms.`;
  }
}
