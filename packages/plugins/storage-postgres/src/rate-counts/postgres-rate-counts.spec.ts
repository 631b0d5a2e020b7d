import { expect } from 'chai';
import type pg from 'pg';
import { PostgresDatabase } from '../database/postgres-database.js';
import { createTestStorage, type TestStorage } from '../storage.spec.support.js';
import { deleteRateCounts } from './delete-rate-counts.js';
import { PostgresRateCounts } from './postgres-rate-counts.js';

describe('PostgresRateCounts', () => {
  let test: TestStorage;
  let databases: PostgresDatabase[];
  let servers: PostgresRateCounts[];
  let sql: pg.Client;

  before(async () => {
    test = await createTestStorage();
    databases = [new PostgresDatabase(), new PostgresDatabase()];
    for (const database of databases) database.open({ connectionString: test.connectionString, poolSize: 4 });
    servers = databases.map((database) => new PostgresRateCounts(database));
    sql = await test.connect();
  });

  beforeEach(() => sql.query('TRUNCATE rate_counts'));

  after(async () => {
    for (const database of databases) await database.close();
    await test.dispose();
  });

  const loadCounts = async (): Promise<Record<string, number>> => {
    const { rows } = await sql.query<{ key: string; count: string }>('SELECT key, count FROM rate_counts');
    return Object.fromEntries(rows.map(({ key, count }) => [key, Number(count)]));
  };

  it('should return the total of all servers to each server', async () => {
    const [first, second] = servers;

    expect(
      await first?.addCounts(
        new Map([
          ['ada', 3],
          ['bob', 1],
        ]),
      ),
    ).to.eql(
      new Map([
        ['ada', 3],
        ['bob', 1],
      ]),
    );
    expect(await second?.addCounts(new Map([['ada', 4]]))).to.eql(new Map([['ada', 7]]));
    expect(await first?.addCounts(new Map([['ada', 1]]))).to.eql(new Map([['ada', 8]]));
  });

  it('should lose no counts when servers add to the same keys concurrently in different orders', async () => {
    // given
    const keys = Array.from({ length: 2_000 }, (_, index) => `key-${index}`);
    const ascending = new Map(keys.map((key) => [key, 1]));
    const descending = new Map(keys.toReversed().map((key) => [key, 1]));

    // when
    await Promise.all(
      Array.from({ length: 20 }, (_, requestIndex) =>
        servers[requestIndex % 2]?.addCounts(requestIndex % 4 < 2 ? descending : ascending),
      ),
    );

    // then
    expect(await loadCounts()).to.eql(Object.fromEntries(keys.map((key) => [key, 20])));
  });

  it('should delete only counts that have not changed for longer than the window of any limit', async () => {
    // given
    const [server] = servers;
    await server?.addCounts(
      new Map([
        ['old', 1],
        ['added to', 1],
        ['new', 1],
      ]),
    );
    await sql.query("UPDATE rate_counts SET counted_at = now() - interval '11 minutes' WHERE key <> 'new'");
    await server?.addCounts(new Map([['added to', 1]]));

    // when
    await deleteRateCounts(sql);

    // then
    expect(await loadCounts()).to.eql({ 'added to': 2, 'new': 1 });
  });
});
