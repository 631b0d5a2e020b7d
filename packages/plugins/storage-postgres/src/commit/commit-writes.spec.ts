import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { EMPTY_ERASURE } from '@countersign/model/testing';
import pg from 'pg';
import { PostgresDatabase } from '../database/postgres-database.js';
import { NOW, createTestRun, buildRunWrite } from '../messages/messages.spec.support.js';
import { createTestStorage, type TestStorage } from '../storage.spec.support.js';
import { commitWrites, type CommitTarget } from './commit-writes.js';
import { LockedRuns } from './locked-runs.js';

const INVALID_TEXT_REPRESENTATION = '22P02';

const getErrorCode = (error: unknown): unknown => (error instanceof pg.DatabaseError ? error.code : error);

describe('commitWrites() when another session holds locks', () => {
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
    await database?.close();
    await test.dispose();
  });

  afterEach(() => holder.query('ROLLBACK'));

  /**
   * Creates a commit target that counts the statements on the shared commit connection and the separate transactions.
   */
  function createCountingTarget(): {
    target: CommitTarget;
    sharedCommits: () => number;
    separateCommits: () => number;
  } {
    let sharedCommits = 0;
    let separateCommits = 0;
    const target: CommitTarget = {
      database: {
        query: (statement) => {
          sharedCommits += 1;
          return database.commits.query(statement);
        },
        connect: () => {
          separateCommits += 1;
          return database.commits.connect();
        },
        pool: database.commits.pool,
      },
      runLocks: new LockedRuns(),
      onCommitted: () => undefined,
    };
    return { target, sharedCommits: () => sharedCommits, separateCommits: () => separateCommits };
  }

  it('should report a used idempotency key only after the other session has committed its response', async () => {
    // given: another server has written the response to the same request but not yet committed it
    await holder.query('BEGIN');
    await holder.query(
      `INSERT INTO idempotency_keys (scope, key, request_digest, response) VALUES ('ada', 'k', 'd', '{}')`,
    );
    const storedResponse = { scope: 'ada', key: 'k', requestDigest: 'd', response: {} };
    const [write, otherWrite] = [
      buildRunWrite(createTestRun(), 0, { storedResponse }),
      buildRunWrite(createTestRun(), 0),
    ];

    // when
    const resultsBeforeCommit = await Promise.all([test.storage.commit([write]), test.storage.commit([otherWrite])]);
    await holder.query('COMMIT');

    // then
    expect(resultsBeforeCommit).to.deep.equal([['locked'], ['committed']]);
    expect(await test.storage.commit([write])).to.deep.equal(['answered']);
  });

  it('should commit the other writes of a batch, and retry a locked write on a separate connection', async () => {
    // given: an existing run, with a row in another table locked by another transaction
    const run = createTestRun();
    const timer = { timerId: randomUUID(), stepId: randomUUID(), dueAt: NOW };
    await test.storage.commit([buildRunWrite(run, 0, { timersArmed: [timer] })]);
    await holder.query('BEGIN');
    await holder.query('SELECT FROM timers WHERE run_id = $1 FOR UPDATE', [run.runId]);
    const timerWrite = buildRunWrite(run, 1, { timersDisarmed: [timer.timerId] });
    const { target, sharedCommits } = createCountingTarget();
    // when
    const batchResults = await commitWrites(target, [
      buildRunWrite(createTestRun(), 0),
      timerWrite,
      buildRunWrite(createTestRun(), 0),
    ]);
    const sharedBefore = sharedCommits();
    const retryResults = await commitWrites(target, [timerWrite]);
    const sharedAfter = sharedCommits();
    const resultsWithOtherWrite = await commitWrites(target, [timerWrite, buildRunWrite(createTestRun(), 0)]);

    // then
    expect(batchResults).to.deep.equal(['committed', 'locked', 'committed']);
    expect(retryResults).to.deep.equal(['locked']);
    expect(sharedAfter).to.equal(sharedBefore);
    expect(resultsWithOtherWrite).to.deep.equal(['locked', 'committed']);
    await holder.query('COMMIT');
    expect(await commitWrites(target, [timerWrite])).to.deep.equal(['committed']);
    // and: the run is committed like any other run from then on
    const sharedLater = sharedCommits();
    expect(await commitWrites(target, [buildRunWrite(run, 2)])).to.deep.equal(['committed']);
    expect(sharedCommits() - sharedLater).to.equal(1);
  });

  it('should commit an erasure on a pooled connection', async () => {
    // given
    const run = createTestRun();
    await test.storage.commit([buildRunWrite(run, 0)]);
    const { target, sharedCommits } = createCountingTarget();

    // when
    const results = await commitWrites(target, [
      buildRunWrite(run, 1, { erasure: EMPTY_ERASURE }),
      buildRunWrite(createTestRun(), 0),
    ]);

    // then: only the start uses the shared connection
    expect(results).to.deep.equal(['committed', 'committed']);
    expect(sharedCommits()).to.equal(1);
  });

  it('should report the result of each write when the database refuses some of them', async () => {
    // given
    const runs = [createTestRun(), createTestRun(), createTestRun()];
    await test.storage.commit(runs.map((run) => buildRunWrite(run, 0)));
    const invalidTimer = { timersArmed: [{ timerId: randomUUID(), stepId: 'not an id', dueAt: NOW }] };
    const writes = runs.map((run, index) =>
      buildRunWrite(run, 1, { erasure: EMPTY_ERASURE, ...(index === 1 ? invalidTimer : {}) }),
    );

    // when: both the separate writes and the shared writes contain a refused write
    const results = await test.storage.commit([...writes, buildRunWrite(createTestRun(), 0, invalidTimer)]);

    // then
    expect(results.map((result) => (typeof result === 'object' ? getErrorCode(result.error) : result))).to.deep.equal([
      'committed',
      INVALID_TEXT_REPRESENTATION,
      'committed',
      INVALID_TEXT_REPRESENTATION,
    ]);
    expect(await test.storage.commit(runs.map((run) => buildRunWrite(run, 2)))).to.deep.equal([
      'committed',
      'conflict',
      'committed',
    ]);
  });

  it('should wait for a locked table no longer than for a locked row', async () => {
    // given
    const run = createTestRun();
    await test.storage.commit([buildRunWrite(run, 0)]);
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE runs');

    // when
    const resultsWhileLocked = await test.storage.commit([buildRunWrite(run, 1)]);
    await holder.query('COMMIT');

    // then: the write is reported as locked; the connection itself would fail only after 15 s
    expect(resultsWhileLocked).to.deep.equal(['locked']);
    expect(await test.storage.commit([buildRunWrite(run, 1)])).to.deep.equal(['committed']);
  });

  it('should return writes as locked without an attempt when too many other writes wait', async () => {
    // given
    const writes = Array.from({ length: 40 }, () =>
      buildRunWrite(createTestRun(), 0, { timersArmed: [{ timerId: randomUUID(), stepId: randomUUID(), dueAt: NOW }] }),
    );
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE timers');

    // when
    const { target, separateCommits } = createCountingTarget();
    const resultsWhileLocked = await commitWrites(target, writes);
    await holder.query('COMMIT');

    // then
    expect(new Set(resultsWhileLocked)).to.deep.equal(new Set(['locked']));
    expect(separateCommits()).to.be.lessThan(writes.length);
    for (let remainingWrites = writes; remainingWrites.length > 0;) {
      const results = await commitWrites(target, remainingWrites);
      expect(results).to.include('committed');
      remainingWrites = remainingWrites.filter((_, index) => results[index] !== 'committed');
    }
  });
});
