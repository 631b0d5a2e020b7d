import { artifactsFilesystemPlugin } from '@countersign/artifacts-filesystem';
import {
  createHost,
  EnginePort,
  StoragePort,
  type Host,
  type LoggerPort,
  type RequestContext,
  type RunWrite,
} from '@countersign/core';
import { policyCedarPlugin } from '@countersign/policy-cedar';
import { storagePostgresPlugin } from '@countersign/storage-postgres';
import { createMigratedTestDatabase, processModel, type TestDatabase, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOutline, loadVerifiedEvents } from './check-history.spec.support.js';
import { createImpatientEngine } from './impatient-engine.js';
import { IMPATIENT_OPTIONS } from './server-child.spec.support.js';

const VERA_CONTEXT: RequestContext = { actor: { type: 'user', id: 'vera', name: null }, from: null, traceId: null };
/** More subscriptions than are read in one batch. */
const LISTENER_COUNT = 120;

const START = '<bpmn:startEvent id="start" />';
const END = '<bpmn:endEvent id="end" />';
const CALLER_MODEL = processModel(
  'caller',
  `${START}<bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="called" /></bpmn:extensionElements></bpmn:callActivity>${END}`,
  'start > call',
  'call > end',
);
const CALLED_MODEL = processModel('called', `${START}${END}`, 'start > end');
const LISTENER_MODEL = processModel(
  'listener',
  `${START}<bpmn:intermediateCatchEvent id="listen"><bpmn:signalEventDefinition signalRef="news" /></bpmn:intermediateCatchEvent>${END}`,
  'start > listen',
  'listen > end',
).replace('<bpmn:process', '<bpmn:signal id="news" name="news" /><bpmn:process');

interface LogEntry {
  readonly level: 'warn' | 'error';
  readonly attempts: number;
  readonly pauseMs: number;
}

describe('undeliverable messages of runs', function () {
  this.timeout(60_000);

  let database: TestDatabase;
  let dataDirectory: string;
  let host: Host;
  let engine: EnginePort;
  let storage: StoragePort;
  /** Returns whether the database accepts the writes of a command. */
  let isAccepted: (write: RunWrite) => boolean;
  let logEntries: LogEntry[];

  beforeEach(async () => {
    isAccepted = () => true;
    logEntries = [];
    dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-undeliverable-'));
    database = await createMigratedTestDatabase();
    host = createHost({
      plugins: [
        storagePostgresPlugin,
        artifactsFilesystemPlugin,
        policyCedarPlugin,
        createImpatientEngine({ ...IMPATIENT_OPTIONS, leaseMs: 30_000 }),
      ],
      configuration: {
        overrides: {
          Data: { Directory: dataDirectory },
          Storage: { Postgres: { ConnectionString: database.connectionString } },
        },
      },
      logger: createCollectingLogger(),
    });
    storage = host.get(StoragePort);
    const commit = storage.commit.bind(storage);
    storage.commit = (writes) =>
      writes.every((write) => isAccepted(write))
        ? commit(writes)
        : Promise.reject(Object.assign(new Error('The database refuses the write.'), { code: '53100' }));
    await host.start();
    engine = host.get(EnginePort);
    for (const bpmnXml of [CALLER_MODEL, CALLED_MODEL, LISTENER_MODEL])
      await engine.deploy({ bpmnXml, context: VERA_CONTEXT });
  });

  afterEach(async () => {
    isAccepted = () => true;
    await host.stop();
    await database.drop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  function createCollectingLogger(): LoggerPort {
    const collectLevel = (level: LogEntry['level']) => (fields: object) => {
      if ('attempts' in fields && 'pauseMs' in fields)
        logEntries.push({ level, attempts: Number(fields.attempts), pauseMs: Number(fields.pauseMs) });
    };
    return { debug: () => undefined, info: () => undefined, warn: collectLevel('warn'), error: collectLevel('error') };
  }

  async function start(workflowId: string): Promise<string> {
    let runId = '';
    const respond: Parameters<EnginePort['startRun']>[0]['respond'] = ({ run }) => {
      runId = run.runId;
      return {};
    };
    await engine.startRun({ context: VERA_CONTEXT, workflowId, businessKey: null, inputs: {}, respond });
    return runId;
  }

  const recoverRun = (runId: string) =>
    engine.recoverRun({
      context: VERA_CONTEXT,
      runId,
      steps: null,
      variables: null,
      comment: null,
      respond: () => ({}),
    });
  const findRun = async (runId: string) => (await storage.findRun(runId))?.run;
  const waitUntilCompleted = (runId: string) =>
    waitUntil('the run is completed', async () => (await findRun(runId))?.outcome === 'completed');
  const countEventLines = async (runId: string, line: string) =>
    buildOutline(await loadVerifiedEvents(storage, runId)).filter((each) => each === line).length;

  it('should be retried after growing delays and at rising log levels, without blocking other runs', async () => {
    // given
    isAccepted = ({ audit, run }) => audit[0]?.action !== 'child.report' || run.runId !== stuckRunId;
    let stuckRunId = '';
    stuckRunId = await start('caller');

    // when
    await waitUntilCompleted(await start('caller'));
    await waitUntil('the delivery was attempted six times', async () => logEntries.length >= 6);

    // then
    expect(logEntries.slice(0, 6)).to.deep.equal([
      { level: 'warn', attempts: 1, pauseMs: 10 },
      { level: 'warn', attempts: 2, pauseMs: 20 },
      { level: 'warn', attempts: 3, pauseMs: 40 },
      { level: 'warn', attempts: 4, pauseMs: 80 },
      { level: 'error', attempts: 5, pauseMs: 160 },
      { level: 'error', attempts: 6, pauseMs: 320 },
    ]);
    expect(await findRun(stuckRunId)).to.include({ outcome: null, currentStep: 'call' });
    isAccepted = () => true;
    await waitUntilCompleted(stuckRunId);
    expect(await countEventLines(stuckRunId, 'child.ended call')).to.equal(1);
  });

  it('should raise an incident on a call activity whose child run cannot be started after all attempts', async () => {
    // given
    isAccepted = ({ audit, run }) => audit[0]?.action !== 'run.start' || run.workflowId !== 'called';

    // when
    const runId = await start('caller');
    const failedRun = await waitUntil(
      'the call activity has an incident',
      async () => ((await findRun(runId))?.incidents === 1 ? findRun(runId) : false),
      40,
    );

    // then
    expect(failedRun?.error).to.deep.include({ code: 'child_not_started', elementId: 'call' });
    isAccepted = () => true;
    await recoverRun(runId);
    await waitUntilCompleted(runId);
    expect((await storage.listRuns({ workflowId: 'called' }, { limit: 10 })).items).to.have.length(1);
  });

  it('should not delay a signal to other runs, and should reach the failing run as soon as its commits succeed', async () => {
    // given
    const runIds: string[] = [];
    for (let index = 0; index < LISTENER_COUNT; index += 1) runIds.push(await start('listener'));
    const [stuckRunId = '', ...otherRunIds] = runIds;
    isAccepted = ({ audit, run }) => audit[0]?.action !== 'signal.receive' || run.runId !== stuckRunId;

    // when
    await engine.broadcastSignal({ context: VERA_CONTEXT, signalName: 'news', payload: {} });
    for (const runId of otherRunIds) await waitUntilCompleted(runId);
    await waitUntil('the delivery was retried', async () => logEntries.length >= 2);

    // then
    expect(await findRun(stuckRunId)).to.include({ outcome: null, currentStep: 'listen' });
    isAccepted = () => true;
    await waitUntilCompleted(stuckRunId);
    for (const runId of runIds) expect(await countEventLines(runId, 'signal.received listen')).to.equal(1);
  });
});
