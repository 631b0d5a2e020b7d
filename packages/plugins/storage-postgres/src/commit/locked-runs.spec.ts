import { expect } from 'chai';
import type pg from 'pg';
import type { Queryable } from '../database/transaction.js';
import { createTestStorage, type TestStorage } from '../storage.spec.support.js';
import { LockedRuns } from './locked-runs.js';

const ID_PREFIX = '019aa000-0000-7000-8000-00000000000';

describe('LockedRuns', () => {
  let test: TestStorage;
  let locker: pg.Client;
  let database: Queryable;

  before(async () => {
    test = await createTestStorage();
    const client = await test.connect();
    locker = await test.connect();
    // The tests only need the column with the id.
    await client.query('CREATE SCHEMA small; CREATE TABLE small.runs (run_id uuid PRIMARY KEY)');
    await client.query('SET search_path = small');
    await client.query('INSERT INTO runs SELECT ($1 || n)::uuid FROM generate_series(1, 3) n', [ID_PREFIX]);
    database = client;
  });

  after(() => test.dispose());

  it('should find locked runs, and remember them until they are unlocked', async () => {
    const runs = new LockedRuns();
    const ids = [1, 2, 3, 4].map((n) => `${ID_PREFIX}${n}`);
    expect(runs.filterKnownLocked(ids)).to.eql([]);

    await locker.query(`BEGIN; SELECT FROM small.runs WHERE run_id = '${ID_PREFIX}2' FOR UPDATE`);
    expect([...(await runs.findLocked(database, ids))], 'a run that does not exist is not locked').to.eql([
      `${ID_PREFIX}2`,
    ]);
    expect(runs.filterKnownLocked(ids)).to.eql([`${ID_PREFIX}2`]);
    expect([...(await runs.findLocked(database, [`${ID_PREFIX}2`]))]).to.eql([`${ID_PREFIX}2`]);

    await locker.query('COMMIT');
    expect([...(await runs.findLocked(database, [`${ID_PREFIX}2`]))]).to.eql([]);
    expect(runs.filterKnownLocked(ids), 'an unlocked run is not remembered').to.eql([]);
  });

  it('should return a delayed run until its delay is cleared', () => {
    const runs = new LockedRuns();
    expect([...runs.filterDelayed(['a', 'b'])]).to.eql([]);

    runs.markDelayed('b');
    expect([...runs.filterDelayed(['a', 'b', 'c'])]).to.eql(['b']);

    runs.clearDelayed('b');
    expect([...runs.filterDelayed(['a', 'b', 'c'])]).to.eql([]);
  });

  it('should forget the run that was delayed first when there are more than 10,000', () => {
    const runs = new LockedRuns();
    for (let number = 0; number <= 10_000; number += 1) runs.markDelayed(String(number));
    expect([...runs.filterDelayed(['0', '1', '10000'])]).to.eql(['1', '10000']);
  });
});
