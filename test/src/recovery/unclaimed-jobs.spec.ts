import { artifactsFilesystemPlugin } from '@countersign/artifacts-filesystem';
import {
  createHost,
  definePlugin,
  EnginePort,
  JobHandlerContribution,
  StoragePort,
  type Host,
  type JsonObject,
  type Plugin,
  type RequestContext,
} from '@countersign/core';
import { engineEmbeddedPlugin } from '@countersign/engine-embedded';
import { policyCedarPlugin } from '@countersign/policy-cedar';
import { storagePostgresPlugin } from '@countersign/storage-postgres';
import { createMigratedTestDatabase, processModel, type TestDatabase, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { injectable } from 'inversify';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const VERA_CONTEXT: RequestContext = { actor: { type: 'user', id: 'vera', name: null }, from: null, traceId: null };
/** More jobs than a server claims in one batch. */
const JOB_COUNT = 40;
const LOOP =
  '<bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=items" inputElement="item" /></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>';
const MANY_JOBS_MODEL = processModel(
  'many',
  `<bpmn:startEvent id="start" /><bpmn:serviceTask id="work"><bpmn:extensionElements><zeebe:taskDefinition type="work" /></bpmn:extensionElements>${LOOP}</bpmn:serviceTask><bpmn:endEvent id="end" />`,
  'start > work',
  'work > end',
);

@injectable()
class WorkHandler implements JobHandlerContribution {
  readonly jobType = 'work';

  execute(): Promise<JsonObject> {
    return Promise.resolve({});
  }
}

const workerPlugin = definePlugin({
  id: 'worker',
  register: ({ contribute }) => contribute(JobHandlerContribution, WorkHandler),
});

describe('unclaimed jobs of one run', function () {
  this.timeout(60_000);

  let database: TestDatabase;
  let dataDirectory: string;
  let hosts: Host[];

  beforeEach(async () => {
    hosts = [];
    dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-unclaimed-jobs-'));
    database = await createMigratedTestDatabase();
  });

  afterEach(async () => {
    for (const host of hosts) await host.stop();
    await database.drop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  function createHostWith(...plugins: Plugin[]): Host {
    const host = createHost({
      plugins: [storagePostgresPlugin, artifactsFilesystemPlugin, policyCedarPlugin, engineEmbeddedPlugin, ...plugins],
      configuration: {
        overrides: {
          Data: { Directory: dataDirectory },
          Storage: { Postgres: { ConnectionString: database.connectionString } },
        },
      },
    });
    hosts.push(host);
    return host;
  }

  it('should cause only one load of the run per claimed batch', async () => {
    // given: a server without a handler for the jobs
    const firstHost = createHostWith();
    await firstHost.start();
    const engine = firstHost.get(EnginePort);
    await engine.deploy({ bpmnXml: MANY_JOBS_MODEL, context: VERA_CONTEXT });
    const { response } = await engine.startRun({
      workflowId: 'many',
      inputs: { items: Array.from({ length: JOB_COUNT }, (_, index) => index) },
      businessKey: null,
      context: VERA_CONTEXT,
      respond: ({ run: { runId } }) => ({ runId }),
    });
    const runId = String(response['runId']);
    // and a server with a handler
    const secondHost = createHostWith(workerPlugin);
    const storage = secondHost.get(StoragePort);
    const batchSizes: number[] = [];
    let loadedRunCount = 0;
    const claimJobs = storage.claimJobs.bind(storage);
    storage.claimJobs = async (request) => {
      const jobs = await claimJobs(request);
      if (jobs.length > 0) batchSizes.push(jobs.length);
      return jobs;
    };
    const loadRuns = storage.loadRuns.bind(storage);
    storage.loadRuns = (runIds) => {
      loadedRunCount += runIds.length;
      return loadRuns(runIds);
    };

    // when
    await secondHost.start();
    await waitUntil('the run ends', async () => (await storage.findRun(runId))?.run.outcome === 'completed');

    // then
    expect(batchSizes.reduce((sum, count) => sum + count, 0)).to.equal(JOB_COUNT);
    expect(batchSizes.length).to.be.lessThan(JOB_COUNT / 4);
    expect(loadedRunCount).to.equal(batchSizes.length);
  });
});
