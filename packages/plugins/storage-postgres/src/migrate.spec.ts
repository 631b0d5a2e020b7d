import { randomBytes } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@countersign/embedded-postgres';
import { expect } from 'chai';
import pg from 'pg';
import { buildConnectionOptions } from './database/connection-options.js';
import { migrate } from './migrate.js';
import { MIGRATIONS, type Migration } from './migrations/index.js';
import { captureError } from './storage.spec.support.js';
import { UNUSUAL_SETTINGS, setSettingsForUser } from './create-migrated-test-database.js';

const createMigration = (name: string, sql: string): Migration => ({
  name,
  up: async (knex) => void (await knex.raw(sql)),
});

describe('migrate', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
  });

  afterEach(() => database.drop());

  async function query(sql: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(buildConnectionOptions(database.connectionString));
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  const countTables = async () =>
    (await query(`SELECT count(*)::int AS n FROM information_schema.tables WHERE table_schema = 'public'`))[0]!['n'];

  it('should set up an empty database, and apply nothing the next time', async () => {
    const logged: object[] = [];
    const log = { info: (fields: object) => void logged.push(fields) };

    await migrate(database.connectionString, { log });
    await migrate(database.connectionString, { log });

    expect(logged).to.eql([{ migrations: MIGRATIONS.map(({ name }) => name) }]);
  });

  it('should apply migrations once when several servers start concurrently', async () => {
    const slow = createMigration('0002-slow', 'SELECT pg_sleep(0.05); CREATE TABLE made_once (id int)');
    const logged: object[] = [];

    await Promise.all(
      Array.from({ length: 6 }, () =>
        migrate(database.connectionString, {
          migrations: [...MIGRATIONS, slow],
          log: { info: (fields) => void logged.push(fields) },
        }),
      ),
    );

    expect(logged).to.have.length(1);
  });

  it('should roll back a failed migration, and apply it after it is fixed', async () => {
    const broken = createMigration('0002-broken', 'CREATE TABLE half (id int); SELECT 1 / 0');

    expect(
      (await captureError(migrate(database.connectionString, { migrations: [...MIGRATIONS, broken] }))).message,
    ).to.include('division by zero');
    expect(await countTables()).to.equal(0);
    await migrate(database.connectionString, {
      migrations: [...MIGRATIONS, createMigration('0002-broken', 'CREATE TABLE whole (id int)')],
    });
    expect(await query('SELECT * FROM whole')).to.eql([]);
  });

  it('should apply new migrations', async () => {
    await migrate(database.connectionString);
    await migrate(database.connectionString, {
      migrations: [...MIGRATIONS, createMigration('0002-more', 'CREATE TABLE more (id int)')],
    });
    expect(await query('SELECT * FROM more')).to.eql([]);
  });

  it('should refuse a database with a migration of a newer version', async () => {
    await migrate(database.connectionString, {
      migrations: [...MIGRATIONS, createMigration('0002-more', 'CREATE TABLE more (id int)')],
    });

    const failure = await captureError(migrate(database.connectionString));

    expect(failure.code).to.equal('schema_mismatch');
    expect(failure.message).to.include('0002-more').and.include('newer version');
  });

  it('should refuse a database whose migrations differ in name or order', async () => {
    await migrate(database.connectionString);
    await query(`UPDATE countersign_migrations SET name = '0001-another'`);
    expect((await captureError(migrate(database.connectionString))).code).to.equal('schema_mismatch');

    const inserted = createMigration('0000-before', 'SELECT 1');
    await query(`UPDATE countersign_migrations SET name = '${MIGRATIONS[0]!.name}'`);
    expect(
      (await captureError(migrate(database.connectionString, { migrations: [inserted, ...MIGRATIONS] }))).code,
    ).to.equal('schema_mismatch');
  });

  it('should refuse a database of another application or with missing tables', async () => {
    await query('CREATE TABLE runs (id int)');
    const foreignTableFailure = await captureError(migrate(database.connectionString));
    expect(foreignTableFailure.code).to.equal('schema_mismatch');
    expect(foreignTableFailure.message).to.include('runs').and.include('a separate database');

    await query('DROP TABLE runs');
    await migrate(database.connectionString);
    await query('DROP TABLE votes');
    const missingTableFailure = await captureError(migrate(database.connectionString));
    expect(missingTableFailure.code).to.equal('schema_mismatch');
    expect(missingTableFailure.message).to.include('votes');
  });

  it('should refuse a database with another encoding', async () => {
    const name = `latin_${randomBytes(6).toString('hex')}`;
    await query(
      `CREATE DATABASE ${name} ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
    );
    try {
      const failure = await captureError(migrate(database.connectionString.replace(/\/[^/]*$/, `/${name}`)));
      expect(failure.code).to.equal('database_unsupported');
      expect(failure.message).to.include('SQL_ASCII').and.include('UTF8');
    } finally {
      await query(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  });

  it('should set up a database despite unusual user settings, and refuse settings that it cannot override', async () => {
    await setSettingsForUser(database.connectionString, UNUSUAL_SETTINGS);
    await migrate(database.connectionString);
    expect(await countTables()).to.be.above(20);

    const migrationErrorCode = async (): Promise<unknown> =>
      (await captureError(migrate(database.connectionString))).code;
    await setSettingsForUser(database.connectionString, { search_path: 'nowhere' });
    expect(await migrationErrorCode()).to.equal('database_unsupported');
    await setSettingsForUser(database.connectionString, { search_path: 'public', default_transaction_read_only: 'on' });
    expect(await migrationErrorCode()).to.equal('database_unsupported');
  });

  it('should refuse an empty schema if another schema has the tables, unless the connection string selects it', async () => {
    // given
    await migrate(database.connectionString);
    await query('CREATE SCHEMA other');
    for (const search_path of ['other, public', 'other']) {
      await setSettingsForUser(database.connectionString, { search_path });

      // when
      const failure = await captureError(migrate(database.connectionString));

      // then
      expect(failure.code).to.equal('schema_mismatch');
      expect(failure.message).to.include('are in the schema public').and.include('SET search_path = public');
      expect(await query(`SELECT FROM pg_tables WHERE schemaname = 'other'`)).to.eql([]);
    }
    await migrate(`${database.connectionString}?options=-c%20search_path%3Dother`);
    await migrate(database.connectionString);
    expect(await query(`SELECT to_regclass('other.runs') IS NOT NULL AS made`)).to.eql([{ made: true }]);
  });

  it('should refuse a read-only database', async () => {
    const readOnly = `${database.connectionString}?options=${encodeURIComponent('-c default_transaction_read_only=on')}`;
    const failure = await captureError(migrate(readOnly));
    expect(failure.code).to.equal('database_unsupported');
  });
});

describe('migrate with an unreachable database', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase();
  });

  after(() => database.drop());

  const SECRET = 's3cr3t';
  /** A host name whose first label is too long, so that no name server is queried (RFC 1035, 2.3.4). */
  const UNRESOLVABLE_HOST = `${'a'.repeat(64)}.invalid`;

  async function captureMigrationError(change: (url: URL) => void): Promise<Error & { code?: unknown }> {
    const url = new URL(database.connectionString);
    url.password = SECRET;
    change(url);
    return captureError(migrate(url.href));
  }

  it('should report the cause and the remedy without the password', async () => {
    const port = new URL(database.connectionString).port;
    const failures = {
      password: await captureMigrationError(() => undefined),
      refused: await captureMigrationError((url) => (url.port = '1')),
      host: await captureMigrationError((url) => (url.hostname = UNRESOLVABLE_HOST)),
      malformed: await captureError(migrate(`postgresql://countersign:${SECRET}/x@127.0.0.1:${port}/db`)),
      passwordReadAsPort: await captureError(
        migrate(`postgresql://countersign:12${SECRET.length}/${SECRET}@127.0.0.1:${port}/db`),
      ),
    };

    expect(failures.password.message).to.include(`127.0.0.1:${port}`).and.include('password');
    expect(failures.refused.message).to.include('127.0.0.1:1').and.include('nothing is listening');
    expect(failures.host.message).to.include(UNRESOLVABLE_HOST).and.match(/name/);
    expect(failures.malformed.message).to.include('percent-encoded');
    expect(failures.passwordReadAsPort.message).to.include('percent-encoded');
    for (const [name, failure] of Object.entries(failures)) {
      expect(failure.code, name).to.equal('database_unreachable');
      expect(JSON.stringify([failure, failure.message, failure.stack, failure.cause])).not.to.include(SECRET);
    }
  });

  it('should name the database in the error if it does not exist', async () => {
    const url = new URL(database.connectionString);
    url.pathname = '/no_such_database';
    const failure = await captureError(migrate(url.href));
    expect(failure.code).to.equal('database_unreachable');
    expect(failure.message).to.include('The database "no_such_database"').and.include('does not exist');
  });
});
