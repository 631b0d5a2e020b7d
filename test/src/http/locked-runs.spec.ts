import type { Approval } from '@countersign/contract';
import { approvalModel, createTestHost, processModel, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';
import { waitForApproval } from './http.spec.support.js';

const UNLOCKED_COUNT = 30;
const LOCKED_COUNT = 3;

describe('API: runs with locked rows', () => {
  let firstServer: TestHost;
  let secondServer: TestHost;
  let locker: pg.Client;

  before(async () => {
    firstServer = await createTestHost({ jobTypes: ['work'] });
    secondServer = await createTestHost({ shareDataWith: firstServer });
    await firstServer.deploy(approvalModel('simple'));
    await firstServer.deploy(
      processModel('short', '<bpmn:startEvent id="start" /><bpmn:endEvent id="end" />', 'start > end'),
    );
    locker = new pg.Client(firstServer.database.connectionString);
    await locker.connect();
  });

  after(async () => {
    await locker?.end();
    await secondServer.close();
    await firstServer.close();
  });

  afterEach(() => locker.query('ROLLBACK'));

  for (const { row, lock } of [
    { row: 'their own row', lock: 'SELECT FROM runs WHERE run_id = $1 FOR UPDATE' },
    { row: 'the row of their approval', lock: 'SELECT FROM approvals WHERE run_id = $1 FOR UPDATE' },
  ])
    it(`should complete other runs on both servers while runs wait for a lock on ${row}, then the waiting runs`, async () => {
      for (const server of [firstServer, secondServer]) {
        // given: more runs than a server has command batches in flight
        const [viewer, approver] = await Promise.all([server.client('viewer'), server.client('approver', 'ada')]);
        const requestedApprovals: Approval[] = [];
        for (let count = 0; count < LOCKED_COUNT; count += 1) {
          const { runId } = await viewer.startRun({ body: { workflowId: 'simple' } });
          const [, approval] = await Promise.all([firstServer.jobs.complete('work'), waitForApproval(viewer, runId)]);
          requestedApprovals.push(approval);
        }
        await locker.query('BEGIN');
        for (const { runId } of requestedApprovals) await locker.query(lock, [runId]);

        // when
        let finishedVoteCount = 0;
        const decided = requestedApprovals.map(({ approvalId, digest }) =>
          approver
            .decideApproval({ approvalId, body: { decision: 'approve', expectedDigest: digest } })
            .finally(() => (finishedVoteCount += 1)),
        );
        // In parallel, because a command fails if the lock lasts ten seconds.
        const startedRuns = await Promise.all(
          Array.from({ length: UNLOCKED_COUNT }, () => viewer.startRun({ body: { workflowId: 'short' } })),
        );

        // then
        expect(startedRuns.map(({ outcome }) => outcome)).to.deep.equal(Array(UNLOCKED_COUNT).fill('completed'));
        expect(finishedVoteCount).to.equal(0);
        await locker.query('COMMIT');
        for (const { status } of await Promise.all(decided)) expect(status).to.equal('approved');
        for (const { runId } of requestedApprovals)
          expect(await viewer.getRun({ runId })).to.include({ outcome: 'completed' });
      }
    });
});
