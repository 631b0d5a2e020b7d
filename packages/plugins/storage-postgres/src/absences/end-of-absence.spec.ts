import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { AuditEntry } from '@countersign/core/plugin';
import { runOf, writeOf } from '../messages/messages.spec.support.js';
import { createTestStorage, type TestStorage } from '../storage.spec.support.js';

const HOUR = 3_600_000;
const audit: AuditEntry = { at: Date.now(), actor: null, action: 'absence.end', target: { type: 'absence' }, result: 'ok', from: null, data: {} };

describe('the end of an absence', () => {
  let test: TestStorage;

  before(async () => {
    test = await createTestStorage();
  });

  after(() => test.dispose());

  it('should wait for a vote that is being written, so that none is written after its answer', async () => {
    // given a vote whose commit has looked at the absence, and is held up
    const { storage } = test;
    const [run, absenceId] = [runOf(), randomUUID()];
    await storage.setAbsence({ absenceId, subject: 'ada', substitute: 'bob', from: Date.now() - HOUR, until: Date.now() + HOUR, setAt: Date.now(), setBy: 'ada' }, audit);
    await storage.commit([writeOf(run, 0)]);
    const [holder, monitor] = [await test.connect(), await test.connect()];
    await holder.query('BEGIN');
    await holder.query('SELECT FROM runs WHERE run_id = $1 FOR UPDATE', [run.runId]);
    const settled: unknown[] = [];
    const note = (result: unknown): void => void settled.push(result);
    const waiting = async (): Promise<number> => {
      const { rows } = await monitor.query<{ count: string }>('SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database()');
      return Number(rows[0]?.count);
    };
    const commit = storage.commit([writeOf(run, 1, { absencesUsed: [absenceId] })]).then(note);
    while ((await waiting()) < 1) await new Promise(setImmediate);

    // when
    const end = storage.endAbsence('ada', audit).then(note);
    while (settled.length === 0 && (await waiting()) < 2) await new Promise(setImmediate);
    await holder.query('COMMIT');
    await Promise.all([commit, end]);

    // then
    expect(settled).to.eql([['committed'], true]);
  });
});
