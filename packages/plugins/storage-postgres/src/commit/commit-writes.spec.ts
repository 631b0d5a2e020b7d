import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { RunErasure } from '@countersign/model';
import type pg from 'pg';
import { PostgresDatabase } from '../database/postgres-database.js';
import { NOW, runOf, writeOf } from '../messages/messages.spec.support.js';
import { createTestStorage, type TestStorage } from '../storage.spec.support.js';
import { commitWrites, type CommitPlace } from './commit-writes.js';
import { LockedRuns } from './locked-runs.js';

describe('a commit that waits for what somebody else writes', () => {
  let test: TestStorage;
  let holder: pg.Client;
  let database: PostgresDatabase;

  before(async () => {
    test = await createTestStorage();
    holder = await test.connect();
    database = new PostgresDatabase();
    database.open({ connectionString: test.connectionString, poolSize: 4 });
  });

  after(async () => {
    await database.close();
    await test.dispose();
  });

  /** The database, and how many statements went over the connection that commits share. */
  function counting(): { place: CommitPlace; shared: () => number } {
    let shared = 0;
    const place: CommitPlace = {
      database: {
        query: (statement) => {
          shared += 1;
          return database.commits.query(statement);
        },
        connect: () => database.commits.connect(),
        aside: database.commits.aside,
      },
      locked: new LockedRuns(),
      committed: () => undefined,
    };
    return { place, shared: () => shared };
  }

  it('should say that the request was answered, once it is certain that the other answer is', async () => {
    // given: another server has written the answer to the same request, and not yet committed it
    await holder.query('BEGIN');
    await holder.query(
      `INSERT INTO idempotency_keys (scope, key, request_digest, response) VALUES ('ada', 'k', 'd', '{}')`,
    );
    const answer = { scope: 'ada', key: 'k', requestDigest: 'd', response: {} };
    const [write, other] = [writeOf(runOf(), 0, { answer }), writeOf(runOf(), 0)];

    // when
    const whileOpen = await Promise.all([test.storage.commit([write]), test.storage.commit([other])]);
    await holder.query('COMMIT');

    // then
    expect(whileOpen).to.deep.equal([['locked'], ['committed']]);
    expect(await test.storage.commit([write])).to.deep.equal(['answered']);
  });

  it('should hold up no other write of the batch, and send none to the shared connection that is known to wait', async () => {
    // given: of a run that exists, somebody holds a row of another table locked
    const run = runOf();
    const timer = { timerId: randomUUID(), stepId: randomUUID(), dueAt: NOW };
    await test.storage.commit([writeOf(run, 0, { timersArmed: [timer] })]);
    await holder.query('BEGIN');
    await holder.query('SELECT FROM timers WHERE run_id = $1 FOR UPDATE', [run.runId]);
    const firing = writeOf(run, 1, { timersDisarmed: [timer.timerId] });
    const { place, shared } = counting();
    // when
    const first = await commitWrites(place, [writeOf(runOf(), 0), firing, writeOf(runOf(), 0)]);
    const sharedBefore = shared();
    const again = await commitWrites(place, [firing]);
    const sharedAfter = shared();
    const beside = await commitWrites(place, [firing, writeOf(runOf(), 0)]);

    // then
    expect(first).to.deep.equal(['committed', 'locked', 'committed']);
    expect(again).to.deep.equal(['locked']);
    expect(sharedAfter).to.equal(sharedBefore);
    expect(beside).to.deep.equal(['locked', 'committed']);
    await holder.query('COMMIT');
    expect(await commitWrites(place, [firing])).to.deep.equal(['committed']);
    // and: it is like any other from then on
    const sharedLater = shared();
    expect(await commitWrites(place, [writeOf(run, 2)])).to.deep.equal(['committed']);
    expect(shared() - sharedLater).to.equal(1);
  });

  it('should look for what is to be erased beside the connection that commits share', async () => {
    // given
    const run = runOf();
    await test.storage.commit([writeOf(run, 0)]);
    const erasure: RunErasure = {
      events: [],
      auditEvents: [],
      approvals: [],
      questions: [],
      artifacts: [],
      deliveries: [],
      inboundEvents: [],
    };
    const { place, shared } = counting();

    // when
    const results = await commitWrites(place, [writeOf(run, 1, { erasure }), writeOf(runOf(), 0)]);

    // then: only the start
    expect(results).to.deep.equal(['committed', 'committed']);
    expect(shared()).to.equal(1);
  });

  it('should give back what there is no time for, where somebody holds a whole table locked', async () => {
    // given
    const writes = Array.from({ length: 40 }, () =>
      writeOf(runOf(), 0, { timersArmed: [{ timerId: randomUUID(), stepId: randomUUID(), dueAt: NOW }] }),
    );
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE timers');

    // when
    const whileLocked = await test.storage.commit(writes);
    await holder.query('COMMIT');

    // then
    expect(new Set(whileLocked)).to.deep.equal(new Set(['locked']));
    for (let left = writes; left.length > 0;) {
      const results = await test.storage.commit(left);
      expect(results).to.include('committed');
      left = left.filter((_, index) => results[index] !== 'committed');
    }
  });
});
