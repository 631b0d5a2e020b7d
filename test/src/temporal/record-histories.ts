/**
 * Records histories of workflows for recorded-histories.spec.ts. Existing files are kept: they show that the workflows
 * can still replay what earlier versions recorded.
 *
 * COUNTERSIGN_TEST_SECOND_MS=1000 node test/dist/temporal/record-histories.js SUFFIX
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createLoopModel,
  createParallelModel,
  createTimerModel,
  PUBLISH,
} from '../engines/engine-models.spec.support.js';
import { waitForApproval, waitForEnd } from '../http/http.spec.support.js';
import { createTemporalHost, waitUntilAnnounced } from './temporal-host.spec.support.js';
import { HISTORIES } from './temporal-sdk.spec.support.js';
import { TemporalServer } from './temporal-server.spec.support.js';

const PARALLEL_JOBS = 10;
const LOOP_JOBS = 20;

const [suffix] = process.argv.slice(2);
if (suffix === undefined) throw new Error('Give a suffix for the names of the new files, such as the version.');

const server = await TemporalServer.start({ 'limit.historyCount.suggestContinueAsNew': 40 });
const host = await createTemporalHost(server);
try {
  for (const model of [
    PUBLISH,
    createTimerModel('PT0.5S'),
    createParallelModel(PARALLEL_JOBS),
    createLoopModel(LOOP_JOBS),
  ])
    await host.deploy(model);
  const viewer = await host.client('viewer', 'vera');
  const start = async (workflowId: string): Promise<string> =>
    (await viewer.startRun({ body: { workflowId, inputs: {} } })).runId;
  const completeJobs = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) await host.jobs.complete('work', {});
  };

  const approved = await start('publish');
  await completeJobs(1);
  const { approvalId } = await waitForApproval(viewer, approved);
  await (await host.client('approver', 'ada')).decideApproval({ approvalId, body: { decision: 'approve' } });
  await completeJobs(1);

  const retried = await start('waiting');
  (await host.jobs.take('work')).fail(new Error('The first attempt fails.'));
  await completeJobs(1);

  const cancelled = await start('publish');
  await host.jobs.take('work');
  await (await host.client('operator')).cancelRun({ runId: cancelled, body: { reason: 'no longer needed' } });

  const parallel = await start('parallel');
  await completeJobs(PARALLEL_JOBS);

  const continued = await start('loop');
  await completeJobs(LOOP_JOBS);

  const open = await start('publish');
  await host.jobs.take('work');

  for (const runId of [approved, retried, cancelled, parallel, continued]) await waitForEnd(viewer, runId);
  await waitUntilAnnounced(host);

  await mkdir(HISTORIES, { recursive: true });
  const runs = { approved, retried, cancelled, parallel, continued, open };
  const workflowIds = {
    ...Object.fromEntries(Object.entries(runs).map(([name, runId]) => [name, `countersign:run:${runId}`])),
    'start-timers': 'countersign:start-timers',
  };
  for (const [name, workflowId] of Object.entries(workflowIds)) {
    const file = join(HISTORIES, `${name}-${suffix}.json`);
    const recorded = { workflowId, history: await server.exportHistory(workflowId) };
    await writeFile(file, JSON.stringify(recorded, omitIdentity), { flag: 'wx' });
    process.stdout.write(`${file}\n`);
  }
} finally {
  await host.close();
  await server.close();
}

/** Omits the names of processes and hosts. */
function omitIdentity(key: string, value: unknown): unknown {
  return key === 'identity' ? undefined : value;
}
