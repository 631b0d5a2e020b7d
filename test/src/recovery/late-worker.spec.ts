import { processModel, serviceTask, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';
import { buildOutline, loadVerifiedEvents } from './check-history.spec.support.js';
import { startTwoServers, type TwoServers } from './two-servers.spec.support.js';

const HOLD_MODEL = processModel(
  'hold',
  `<bpmn:startEvent id="start" />${serviceTask('work', 'hold')}<bpmn:endEvent id="end" />`,
  'start > work',
  'work > end',
);

describe('worker that submits its result after its lease expired', function () {
  this.timeout(60_000);

  let servers: TwoServers;
  let database: pg.Client;

  beforeEach(async () => {
    // One job per server: a server that executes a job does not claim it again.
    servers = await startTwoServers({ maxActiveJobs: 1 });
    database = new pg.Client({ connectionString: servers.connectionString });
    await database.connect();
    await (await servers.left.client('admin', 'root')).deployWorkflow({ body: HOLD_MODEL });
  });

  afterEach(async () => {
    await database.end();
    await servers.stop();
  });

  const hasAttemptBy = (pid: number) => async () =>
    (await database.query('SELECT FROM attempts WHERE by_process = $1', [pid])).rowCount === 1;
  const releaseProcess = (pid: number) => database.query('INSERT INTO released VALUES ($1)', [pid]);

  it('should change nothing when another worker has claimed the job', async () => {
    // given
    const { left, right, storage } = servers;
    const { runId } = await (await left.client('viewer', 'vera')).startRun({ body: { workflowId: 'hold' } });
    await waitUntil('the first server executes the job', hasAttemptBy(left.process.pid));
    const [claim] = (await database.query<{ epoch: number }>('SELECT epoch FROM jobs WHERE run_id = $1', [runId])).rows;
    await waitUntil('the second server takes over', async () => {
      // Repeated, because the first server may have renewed its lease.
      await database.query('UPDATE jobs SET available_at = now() WHERE run_id = $1 AND epoch = $2', [
        runId,
        claim?.epoch,
      ]);
      return hasAttemptBy(right.process.pid)();
    });

    // when
    await releaseProcess(left.process.pid);
    await waitUntil(
      'the first server has abandoned the job',
      async () => (await left.process.request({ type: 'activeJobs' })) === 0,
    );
    const runAfterLateResult = await storage.findRun(runId);
    await releaseProcess(right.process.pid);
    await waitUntil('the run ends', async () => (await storage.findRun(runId))?.run.outcome === 'completed');

    // then
    expect(runAfterLateResult?.run).to.include({ status: 'active', currentStep: 'work' });
    expect((await storage.listArtifacts(runId)).map(({ name }) => name)).to.deep.equal([`by-${right.process.pid}.txt`]);
    const events = await loadVerifiedEvents(storage, runId);
    expect(buildOutline(events).filter((line) => line.endsWith(' work'))).to.deep.equal([
      'step.started work',
      'step.completed work',
    ]);
    expect(
      events.find(({ type, elementId }) => type === 'step.completed' && elementId === 'work')?.private,
    ).to.have.nested.property('output.by', right.process.pid);
  });
});
