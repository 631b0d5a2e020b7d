import { expect } from 'chai';
import type pg from 'pg';
import { until } from '@countersign/model/testing';
import { runOf, writeOf } from '../messages/messages.spec.support.js';
import { createTestStorage, type TestStorage } from '../storage.spec.support.js';

describe('a commit that waits for what somebody else writes', () => {
  let test: TestStorage;
  let holder: pg.Client;
  let monitor: pg.Client;

  before(async () => {
    test = await createTestStorage();
    [holder, monitor] = [await test.connect(), await test.connect()];
  });

  after(() => test.dispose());

  /** Whether a statement has waited for a lock for longer than the 200 ms of the shared connection. */
  async function waitsPatiently(): Promise<boolean> {
    const { rowCount } = await monitor.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
       AND now() - query_start > interval '1 second'`,
    );
    return rowCount === 1;
  }

  it('should say that the request was answered, however long the other answer took', async () => {
    // given: another server has written the answer to the same request, and not yet committed it
    await holder.query('BEGIN');
    await holder.query(
      `INSERT INTO idempotency_keys (scope, key, request_digest, response) VALUES ('ada', 'k', 'd', '{}')`,
    );
    const answer = { scope: 'ada', key: 'k', requestDigest: 'd', response: {} };

    // when: it waits for longer than the first attempt may
    const results = Promise.all([
      test.storage.commit([writeOf(runOf(), 0, { answer })]),
      test.storage.commit([writeOf(runOf(), 0)]),
    ]);
    await until('it waits for longer than an attempt on the shared connection may', waitsPatiently);
    await holder.query('COMMIT');

    // then
    expect(await results).to.deep.equal([['answered'], ['committed']]);
  });
});
