import { approvalModel, createTestHost, processModel, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';
import { untilApproval } from './http.spec.support.js';

const OTHERS = 30;

describe('API: a run of which somebody holds a row locked in the database', () => {
  let one: TestHost;
  let two: TestHost;
  let locker: pg.Client;

  before(async () => {
    one = await createTestHost({ jobTypes: ['work'] });
    two = await createTestHost({ beside: one });
    await one.deploy(approvalModel('simple'));
    await one.deploy(processModel('short', '<bpmn:startEvent id="start" /><bpmn:endEvent id="end" />', 'start > end'));
    locker = new pg.Client(one.database.connectionString);
    await locker.connect();
  });

  after(async () => {
    await locker?.end();
    await two.close();
    await one.close();
  });

  for (const { row, lock } of [
    { row: 'its own row', lock: 'SELECT FROM runs WHERE run_id = $1 FOR UPDATE' },
    { row: 'its approval', lock: 'SELECT FROM approvals WHERE run_id = $1 FOR UPDATE' },
  ])
    it(`should wait for the lock of ${row}, hold up no other run on either server, and go on once it is gone`, async () => {
      for (const server of [one, two]) {
        // given
        const [viewer, approver] = await Promise.all([server.client('viewer'), server.client('approver', 'ada')]);
        const { runId } = await viewer.startRun({ body: { workflowId: 'simple' } });
        const [, { approvalId, digest }] = await Promise.all([one.jobs.complete('work'), untilApproval(viewer, runId)]);
        await locker.query('BEGIN');
        await locker.query(lock, [runId]);

        // when
        let isDecided = false;
        const decided = approver
          .decideApproval({ approvalId, body: { decision: 'approve', expectedDigest: digest } })
          .finally(() => (isDecided = true));
        // At once: the decision is given up where the lock stays for ten seconds.
        const started = await Promise.all(
          Array.from({ length: OTHERS }, () => viewer.startRun({ body: { workflowId: 'short' } })),
        );

        // then
        expect(started.map(({ outcome }) => outcome)).to.deep.equal(Array(OTHERS).fill('completed'));
        expect(isDecided).to.equal(false);
        await locker.query('COMMIT');
        expect(await decided).to.include({ status: 'approved' });
        expect(await viewer.getRun({ runId })).to.include({ outcome: 'completed' });
      }
    });
});
