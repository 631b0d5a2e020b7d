import { expect } from 'chai';
import type pg from 'pg';
import { createMigratedTestDatabase, ODD_SETTINGS } from '../test-storage.js';
import { connectionOptions } from './connection-options.js';
import { PostgresDatabase } from './postgres-database.js';
import { asOptions, RELIED_ON, splitOptions } from './session-settings.js';
import { faultOfSettings, type FixedSettings } from './setting-checks.js';

describe('settings of sessions', () => {
  it('should be written so that the server reads what was meant', () => {
    expect(asOptions({ a: 'read committed', b: 'x\\y' })).to.equal('-c a=read\\ committed -c b=x\\\\y');
  });

  it('should leave the last word to the connection string', () => {
    const given = 'postgresql://ada:p%40ss@host:5432/db?sslmode=require&options=-c%20search_path%3Dmine';
    expect(splitOptions(given)).to.deep.equal({
      connectionString: 'postgresql://ada:p%40ss@host:5432/db?sslmode=require',
      options: '-c search_path=mine',
    });
    expect(connectionOptions(given).options).to.match(/^-c DateStyle=ISO .* -c search_path=mine$/);
    expect(splitOptions('/var/run/postgresql db')).to.deep.equal({
      connectionString: '/var/run/postgresql db',
      options: '',
    });
  });

  it('should hold on every connection, whatever the role sets', async () => {
    // given
    const { connectionString, drop } = await createMigratedTestDatabase({ settings: ODD_SETTINGS });
    const database = new PostgresDatabase();
    database.open({ connectionString, poolSize: 4 });
    const names = [...Object.keys(RELIED_ON), 'statement_timeout', 'lock_timeout', 'client_encoding'];
    const text = `SELECT name, setting FROM pg_settings WHERE name = ANY($1::text[])`;
    const [onCommits, onPool, onFeed, plain] = await Promise.all([
      database.commits.query({ text, values: [names] }),
      database.pool.query({ text, values: [names] }),
      database.feed.query({ text, values: [names] }),
      database.knex.raw<pg.QueryResult>(text.replace('$1', '?'), [names]),
    ]);

    // then
    for (const { rows } of [onCommits, onPool, onFeed, plain] as pg.QueryResult<{ name: string; setting: string }>[]) {
      const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
      expect(settings['DateStyle']).to.match(/^ISO, /);
      for (const [name, value] of Object.entries(RELIED_ON))
        if (name !== 'DateStyle') expect(settings[name], name).to.equal(value);
      expect(settings['client_encoding']).to.equal('UTF8');
      expect(Number(settings['statement_timeout'])).to.be.at.least(8_000);
      expect(Number(settings['lock_timeout'])).to.be.at.least(200);
    }
    await database.close();
    await drop();
  });

  it('should be refused where a connection cannot say its own', () => {
    const fit: FixedSettings = {
      readOnly: false,
      schema: 'public',
      searchPath: '"$user", public',
      replicationRole: 'origin',
      transactionTimeout: 0,
    };
    expect(faultOfSettings(fit)).to.equal(undefined);
    expect(faultOfSettings({ ...fit, transactionTimeout: 60_000 })).to.equal(undefined);
    expect(faultOfSettings({ ...fit, readOnly: true })).to.contain('default_transaction_read_only off');
    expect(faultOfSettings({ ...fit, schema: null, searchPath: 'a, b' })).to.contain('search_path "a, b"');
    expect(faultOfSettings({ ...fit, replicationRole: 'replica' })).to.contain('RESET session_replication_role');
    expect(faultOfSettings({ ...fit, transactionTimeout: 5_000 })).to.contain('transaction_timeout is 5000 ms');
  });
});
