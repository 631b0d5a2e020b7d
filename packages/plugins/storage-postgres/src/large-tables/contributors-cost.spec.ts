import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { commitWrites } from '../commit/commit-writes.js';
import { LockedRuns } from '../commit/locked-runs.js';
import type { Queryable } from '../database/transaction.js';
import { createTestRun, buildRunWrite } from '../messages/messages.spec.support.js';
import { explainGeneric, type Plan } from '../queries/many-rows.spec.support.js';
import { createTestStorage, type TestStorage } from '../storage.spec.support.js';

const MESSAGE_COUNT = 5_000;

describe(`a vote while ${MESSAGE_COUNT} contributor messages are in the outbox`, () => {
  let test: TestStorage;
  let client: pg.Client;

  before(async () => {
    test = await createTestStorage();
    client = await test.connect();
    // An autovacuum would prevent dropping the database, because only a superuser may stop it.
    await client.query('ALTER TABLE outbox SET (autovacuum_enabled = false)');
    // These are the planner settings of command connections.
    await client.query('SET enable_seqscan = off; SET jit = off');
    await client.query(
      `INSERT INTO outbox (message_id, queue, sent_at, message)
       SELECT gen_random_uuid(), gen_random_uuid(), now(),
         json_build_object('kind', 'contributors', 'rootRunId', gen_random_uuid(), 'contributors', json_build_array('ada', 'bob'))
       FROM generate_series(1, ${MESSAGE_COUNT})`,
    );
  });

  after(() => test.dispose());

  /** Returns the plan of a commit that writes a vote. */
  async function explainVote(rootRunId: string): Promise<Plan> {
    let plan: Plan | undefined;
    const database: Queryable = {
      query: async ({ text, values }) => {
        plan = await explainGeneric(client, text, values);
        return { rows: [] };
      },
    };
    const unused = (): never => {
      throw new Error('This function must not be called in this test.');
    };
    await commitWrites(
      {
        database: { ...database, connect: unused, pool: { query: unused } },
        runLocks: new LockedRuns(),
        onCommitted: unused,
      },
      [buildRunWrite(createTestRun(), 0, { contributorsKnown: { rootRunId, ids: ['ada'] } })],
    );
    if (plan === undefined) throw new Error('The commit executed no statement.');
    return plan;
  }

  it('should read only the messages of its own runs', async () => {
    for (const analyze of ['', 'ANALYZE outbox']) {
      await client.query(analyze);
      const { scans, rowsRead } = await explainVote(randomUUID());
      expect(scans).to.include('outbox_contributors');
      expect(rowsRead, analyze).to.be.lessThan(100);
    }
  });
});
