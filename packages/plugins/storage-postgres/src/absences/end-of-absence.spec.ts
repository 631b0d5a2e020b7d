import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { CommitResult } from '@countersign/core/ports';
import type { AuditEntry } from '@countersign/model';
import { createTestRun, buildRunWrite } from '../messages/messages.spec.support.js';
import { createTestStorage, type TestStorage } from '../storage.spec.support.js';

const HOUR = 3_600_000;
// eslint-disable-next-line no-restricted-syntax -- the database decides by its own clock when an absence ends
const NOW = Date.now();
const audit: AuditEntry = {
  at: NOW,
  actor: null,
  action: 'absence.end',
  target: { type: 'absence' },
  result: 'ok',
  from: null,
  data: {},
};

describe('endAbsence()', () => {
  let test: TestStorage;

  before(async () => {
    test = await createTestStorage();
  });

  after(() => test.dispose());

  it('should wait for a vote in progress, so that the vote is not committed after the end of the absence was confirmed', async () => {
    // given: a vote whose commit has read the absence and is blocked
    const { storage } = test;
    const [run, absenceId] = [createTestRun(), randomUUID()];
    await storage.setAbsence(
      {
        absenceId,
        subject: 'ada',
        substitute: 'bob',
        from: NOW - HOUR,
        until: NOW + HOUR,
        setAt: NOW,
        setBy: 'ada',
      },
      audit,
    );
    await storage.commit([buildRunWrite(run, 0)]);
    const [holder, monitor] = [await test.connect(), await test.connect()];
    await holder.query('BEGIN');
    await holder.query('SELECT FROM runs WHERE run_id = $1 FOR UPDATE', [run.runId]);
    const isWritten = async (): Promise<boolean> => {
      const { rows } = await monitor.query<{ revision: string }>('SELECT revision FROM runs WHERE run_id = $1', [
        run.runId,
      ]);
      return Number(rows[0]?.revision) === 2;
    };
    const countWaitingLocks = async (): Promise<number> => {
      const { rows } = await monitor.query<{ count: string }>(
        'SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database()',
      );
      return Number(rows[0]?.count);
    };
    let wasLocked = false;
    const commit = (async (): Promise<CommitResult | undefined> => {
      for (;;) {
        const [result] = await storage.commit([buildRunWrite(run, 1, { requiredAbsences: [absenceId] })]);
        if (result !== 'locked') return result;
        wasLocked = true;
      }
    })();
    while (!wasLocked && (await countWaitingLocks()) < 1) await new Promise(setImmediate);

    // when
    let isEnded = false;
    const end = storage.endAbsence('ada', audit).finally(() => (isEnded = true));
    const wasWritten = end.then(isWritten);
    while (!isEnded && (await countWaitingLocks()) < 2) await new Promise(setImmediate);
    // If the end did not wait, check now whether the vote was written, not after the run is unlocked.
    if (isEnded) await wasWritten;
    await holder.query('COMMIT');

    // then: the vote was written before the end was confirmed, or never. A vote that waits 200 ms for its run releases
    // its locks and is retried. The order of the two responses is irrelevant.
    expect(await end).to.equal(true);
    expect(await commit).to.equal((await wasWritten) ? 'committed' : 'outdated');
  });
});
