import { expect } from 'chai';
import pg from 'pg';
import { createMigratedTestDatabase, UNUSUAL_SETTINGS } from '../create-migrated-test-database.js';
import { buildConnectionOptions } from './connection-options.js';
import { PostgresDatabase } from './postgres-database.js';
import { toOptions, REQUIRED_SETTINGS, splitOptions } from './session-settings.js';
import { findAlteredSettingProblem, findSettingsProblem, type FixedSettings } from './setting-checks.js';

describe('session settings', () => {
  it('should escape spaces and backslashes in options', () => {
    expect(toOptions({ a: 'read committed', b: 'x\\y' })).to.equal('-c a=read\\ committed -c b=x\\\\y');
  });

  it('should append the options of the connection string', () => {
    const urlWithOptions = 'postgresql://ada:p%40ss@host:5432/db?sslmode=require&options=-c%20search_path%3Dmine';
    expect(splitOptions(urlWithOptions)).to.deep.equal({
      connectionString: 'postgresql://ada:p%40ss@host:5432/db?sslmode=require',
      options: '-c search_path=mine',
    });
    expect(buildConnectionOptions(urlWithOptions).options).to.match(/^-c DateStyle=ISO .* -c search_path=mine$/);
    const unusualUrl =
      'postgres://ada:50%off@/db?host=/var/run/postgresql&options=-c+a%3D1&sslmode=require&options=-c%20b%3D2';
    expect(splitOptions(unusualUrl)).to.deep.equal({
      connectionString: 'postgres://ada:50%off@/db?host=/var/run/postgresql&sslmode=require',
      options: '-c b=2',
    });
    for (const connectionString of [
      '/var/run/postgresql db',
      'postgresql://host/db',
      'postgresql://host/db?optionsX=1',
    ])
      expect(splitOptions(connectionString)).to.deep.equal({ connectionString, options: '' });
  });

  it('should apply to every connection regardless of the settings of the role', async () => {
    // given
    const { connectionString, drop } = await createMigratedTestDatabase({ settings: UNUSUAL_SETTINGS });
    const database = new PostgresDatabase();
    database.open({ connectionString, poolSize: 4 });
    const names = [...Object.keys(REQUIRED_SETTINGS), 'statement_timeout', 'lock_timeout', 'client_encoding'];
    const text = `SELECT name, setting FROM pg_settings WHERE name = ANY($1::text[])`;
    const [onCommits, onPool, onFeed, onKnex] = await Promise.all([
      database.commits.query({ text, values: [names] }),
      database.pool.query({ text, values: [names] }),
      database.feed.query({ text, values: [names] }),
      database.knex.raw<pg.QueryResult>(text.replace('$1', '?'), [names]),
    ]);

    // then
    for (const { rows } of [onCommits, onPool, onFeed, onKnex] as pg.QueryResult<{ name: string; setting: string }>[]) {
      const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
      expect(settings['DateStyle']).to.match(/^ISO, /);
      for (const [name, value] of Object.entries(REQUIRED_SETTINGS))
        if (name !== 'DateStyle') expect(settings[name], name).to.equal(value);
      expect(settings['client_encoding']).to.equal('UTF8');
      expect(Number(settings['statement_timeout'])).to.be.at.least(8_000);
      expect(Number(settings['lock_timeout'])).to.be.at.least(200);
    }
    await database.close();
    await drop();
  });

  it('should be overridden by the connection string', async () => {
    const { connectionString, drop } = await createMigratedTestDatabase();
    for (const [parameters, name, setting] of [
      ['options=-c%20statement_timeout%3D60s', 'statement_timeout', '60000'],
      ['statement_timeout=61000', 'statement_timeout', '61000'],
      ['options=-c%20TimeZone%3DAsia/Kathmandu', 'TimeZone', 'Asia/Kathmandu'],
    ] as const) {
      const client = new pg.Client(buildConnectionOptions(`${connectionString}?${parameters}`));
      await client.connect();
      const { rows } = await client.query<{ setting: string }>('SELECT setting FROM pg_settings WHERE name = $1', [
        name,
      ]);
      expect(rows[0]?.setting, parameters).to.equal(setting);
      await client.end();
    }
    await drop();
  });

  it('should be named in the startup error if they are refused', () => {
    const validSettings: FixedSettings = {
      readOnly: false,
      schema: 'public',
      searchPath: '"$user", public',
      replicationRole: 'origin',
      transactionTimeout: 0,
    };
    expect(findSettingsProblem(validSettings)).to.equal(undefined);
    expect(findSettingsProblem({ ...validSettings, transactionTimeout: 60_000 })).to.equal(undefined);
    expect(findSettingsProblem({ ...validSettings, readOnly: true })).to.contain('default_transaction_read_only = off');
    expect(findSettingsProblem({ ...validSettings, schema: null, searchPath: 'a, b' })).to.contain(
      'search_path (a, b)',
    );
    expect(findSettingsProblem({ ...validSettings, replicationRole: 'replica' })).to.contain(
      'RESET session_replication_role',
    );
    expect(findSettingsProblem({ ...validSettings, schema: null, searchPath: '' })).to.contain('search_path (empty)');
    expect(
      findAlteredSettingProblem([
        { name: 'TimeZone', setting: 'UTC' },
        { name: 'DateStyle', setting: 'ISO, DMY' },
      ]),
    ).to.equal(undefined);
    expect(findAlteredSettingProblem([{ name: 'TimeZone', setting: 'Asia/Kathmandu' }])).to.contain(
      'A connection pooler',
    );
    expect(findSettingsProblem({ ...validSettings, transactionTimeout: 5_000 })).to.contain(
      'transaction_timeout is 5000 ms',
    );
  });
});
