import { processModel, seconds, serviceTask, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';
import { startTwoServers, type TwoServers } from './two-servers.spec.support.js';

const HOLD_MODEL = processModel(
  'hold',
  `<bpmn:startEvent id="start" />${serviceTask('work', 'hold')}<bpmn:endEvent id="end" />`,
  'start > work',
  'work > end',
);

describe('server that stops during a job', function () {
  this.timeout(60_000);

  let servers: TwoServers;
  let database: pg.Client;

  beforeEach(async () => {
    servers = await startTwoServers({ leaseMs: seconds(1.5) });
    database = new pg.Client({ connectionString: servers.connectionString });
    await database.connect();
    await (await servers.left.client('admin', 'root')).deployWorkflow({ body: HOLD_MODEL });
  });

  afterEach(async () => {
    await database.end();
    await servers.stop();
  });

  const listAttemptPids = async (): Promise<number[]> =>
    (await database.query<{ by_process: number }>('SELECT by_process FROM attempts')).rows.map((row) => row.by_process);

  it('should renew the lease of the job until the result is written, so that the job is executed once', async () => {
    // given
    const { left, storage } = servers;
    const { runId } = await (await left.client('viewer', 'vera')).startRun({ body: { workflowId: 'hold' } });
    await waitUntil('the first server executes the job', async () => (await listAttemptPids()).length === 1);

    // when the server stops, but the job takes longer than the current lease
    const stopPromise = left.process.stop();
    await waitUntil('the server refuses connections', async () =>
      (await left.client('viewer', 'vera')).listRuns({}).then(
        () => false,
        () => true,
      ),
    );
    const { rows } = await database.query<{ until: string }>(
      'SELECT available_at::text AS until FROM jobs WHERE run_id = $1',
      [runId],
    );
    await waitUntil(
      'the lease at the time of the stop has expired',
      async () => (await database.query('SELECT WHERE now() > $1::timestamptz', [rows[0]?.until])).rowCount === 1,
    );
    await database.query('INSERT INTO released VALUES ($1)', [left.process.pid]);
    await stopPromise;

    // then
    expect((await storage.findRun(runId))?.run).to.include({ outcome: 'completed' });
    expect(await listAttemptPids()).to.deep.equal([left.process.pid]);
  });
});
