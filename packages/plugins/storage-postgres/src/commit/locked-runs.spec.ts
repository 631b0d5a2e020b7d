import { expect } from 'chai';
import type pg from 'pg';
import type { Queryable } from '../database/transaction.js';
import { createTestStorage, type TestStorage } from '../storage.spec.support.js';
import { LockedRuns } from './locked-runs.js';

const ID = '019aa000-0000-7000-8000-00000000000';

describe('LockedRuns', () => {
  let test: TestStorage;
  let locker: pg.Client;
  let asked: number;
  let database: Queryable;

  before(async () => {
    test = await createTestStorage();
    const client = await test.connect();
    locker = await test.connect();
    // Only the id matters here.
    await client.query('CREATE SCHEMA small; CREATE TABLE small.runs (run_id uuid PRIMARY KEY)');
    await client.query('SET search_path = small');
    await client.query('INSERT INTO runs SELECT ($1 || n)::uuid FROM generate_series(1, 3) n', [ID]);
    asked = 0;
    database = {
      query: (statement) => {
        asked += 1;
        return client.query(statement);
      },
    };
  });

  after(() => test.dispose());

  it('should find those that are locked, remember them until they are free, and ask about no others', async () => {
    const runs = new LockedRuns();
    const ids = [1, 2, 3, 4].map((n) => `${ID}${n}`);
    expect([...(await runs.stillLocked(database, ids))]).to.eql([]);
    expect(asked, 'nothing is known to be locked').to.equal(0);

    await locker.query(`BEGIN; SELECT FROM small.runs WHERE run_id = '${ID}2' FOR UPDATE`);
    expect([...(await runs.findLocked(database, ids))], 'a run that does not exist is not locked').to.eql([`${ID}2`]);
    expect([...(await runs.stillLocked(database, ids))]).to.eql([`${ID}2`]);
    expect([...(await runs.stillLocked(database, [`${ID}1`, `${ID}3`]))]).to.eql([]);
    expect(asked).to.equal(2);

    await locker.query('COMMIT');
    expect([...(await runs.stillLocked(database, ids))]).to.eql([]);
    expect([...(await runs.stillLocked(database, ids))]).to.eql([]);
    expect(asked, 'it is forgotten').to.equal(3);
  });

  it('should remember whose commits are held up by other rows, until they are not', () => {
    const runs = new LockedRuns();
    expect([...runs.heldUp(['a', 'b'])]).to.eql([]);

    runs.holdUp('b');
    expect([...runs.heldUp(['a', 'b', 'c'])]).to.eql(['b']);

    runs.forget('b');
    expect([...runs.heldUp(['a', 'b', 'c'])]).to.eql([]);
  });
});
