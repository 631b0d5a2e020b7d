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
import { createMigratedTestDatabase, processModel, type TestDatabase, until } from '@countersign/testing';
import { expect } from 'chai';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outlineOf, verifiedEvents } from './check-history.spec.support.js';
import { impatientEngine } from './impatient-engine.js';
import { IMPATIENT } from './server-child.spec.support.js';

const VERA: RequestContext = { actor: { type: 'user', id: 'vera', name: null }, from: null, traceId: null };
/** More subscriptions than are read in one batch. */
const LISTENERS = 120;

const START = '<bpmn:startEvent id="start" />';
const END = '<bpmn:endEvent id="end" />';
const CALLER = processModel(
  'caller',
  `${START}<bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="called" /></bpmn:extensionElements></bpmn:callActivity>${END}`,
  'start > call',
  'call > end',
);
const CALLED = processModel('called', `${START}${END}`, 'start > end');
const LISTENER = processModel(
  'listener',
  `${START}<bpmn:intermediateCatchEvent id="listen"><bpmn:signalEventDefinition signalRef="news" /></bpmn:intermediateCatchEvent>${END}`,
  'start > listen',
  'listen > end',
).replace('<bpmn:process', '<bpmn:signal id="news" name="news" /><bpmn:process');

interface Said {
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
  let isTaken: (write: RunWrite) => boolean;
  let said: Said[];

  beforeEach(async () => {
    isTaken = () => true;
    said = [];
    dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-undeliverable-'));
    database = await createMigratedTestDatabase();
    host = createHost({
      plugins: [
        storagePostgresPlugin,
        artifactsFilesystemPlugin,
        policyCedarPlugin,
        impatientEngine({ ...IMPATIENT, leaseMs: 30_000 }),
      ],
      configuration: {
        overrides: {
          Data: { Directory: dataDirectory },
          Storage: { Postgres: { ConnectionString: database.connectionString } },
        },
      },
      logger: listening(),
    });
    storage = host.get(StoragePort);
    const commit = storage.commit.bind(storage);
    storage.commit = (writes) =>
      writes.every((write) => isTaken(write))
        ? commit(writes)
        : Promise.reject(Object.assign(new Error('The database does not take it.'), { code: '53100' }));
    await host.start();
    engine = host.get(EnginePort);
    for (const bpmnXml of [CALLER, CALLED, LISTENER]) await engine.deploy({ bpmnXml, context: VERA });
  });

  afterEach(async () => {
    isTaken = () => true;
    await host.stop();
    await database.drop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  function listening(): LoggerPort {
    const listen = (level: Said['level']) => (fields: object) => {
      if ('attempts' in fields && 'pauseMs' in fields)
        said.push({ level, attempts: Number(fields.attempts), pauseMs: Number(fields.pauseMs) });
    };
    return { debug: () => undefined, info: () => undefined, warn: listen('warn'), error: listen('error') };
  }

  async function start(workflowId: string): Promise<string> {
    let runId = '';
    const respond: Parameters<EnginePort['startRun']>[0]['respond'] = ({ run }) => {
      runId = run.runId;
      return {};
    };
    await engine.startRun({ context: VERA, workflowId, businessKey: null, inputs: {}, respond });
    return runId;
  }

  const recover = (runId: string) =>
    engine.recoverRun({ context: VERA, runId, steps: null, variables: null, comment: null, respond: () => ({}) });
  const runOf = async (runId: string) => (await storage.findRun(runId))?.run;
  const completed = (runId: string) =>
    until('the run is completed', async () => (await runOf(runId))?.outcome === 'completed');
  const count = async (runId: string, line: string) =>
    outlineOf(await verifiedEvents(storage, runId)).filter((each) => each === line).length;

  it('should be retried after growing delays and at rising log levels, without blocking other runs', async () => {
    // given
    isTaken = ({ audit, run }) => audit[0]?.action !== 'child.report' || run.runId !== stuck;
    let stuck = '';
    stuck = await start('caller');

    // when
    await completed(await start('caller'));
    await until('it was tried six times', async () => said.length >= 6);

    // then
    expect(said.slice(0, 6)).to.deep.equal([
      { level: 'warn', attempts: 1, pauseMs: 10 },
      { level: 'warn', attempts: 2, pauseMs: 20 },
      { level: 'warn', attempts: 3, pauseMs: 40 },
      { level: 'warn', attempts: 4, pauseMs: 80 },
      { level: 'error', attempts: 5, pauseMs: 160 },
      { level: 'error', attempts: 6, pauseMs: 320 },
    ]);
    expect(await runOf(stuck)).to.include({ outcome: null, currentStep: 'call' });
    isTaken = () => true;
    await completed(stuck);
    expect(await count(stuck, 'child.ended call')).to.equal(1);
  });

  it('should raise an incident on a call activity whose child run cannot be started after all attempts', async () => {
    // given
    isTaken = ({ audit, run }) => audit[0]?.action !== 'run.start' || run.workflowId !== 'called';

    // when
    const runId = await start('caller');
    const failed = await until(
      'the call fails',
      async () => ((await runOf(runId))?.incidents === 1 ? runOf(runId) : false),
      40,
    );

    // then
    expect(failed?.error).to.deep.include({ code: 'child_not_started', elementId: 'call' });
    isTaken = () => true;
    await recover(runId);
    await completed(runId);
    expect((await storage.listRuns({ workflowId: 'called' }, { limit: 10 })).items).to.have.length(1);
  });

  it('should not keep a signal from other runs, and reach the failing run as soon as its commits succeed', async () => {
    // given
    const runIds: string[] = [];
    for (let index = 0; index < LISTENERS; index += 1) runIds.push(await start('listener'));
    const [stuck = '', ...others] = runIds;
    isTaken = ({ audit, run }) => audit[0]?.action !== 'signal.receive' || run.runId !== stuck;

    // when
    await engine.broadcastSignal({ context: VERA, signalName: 'news', payload: {} });
    for (const runId of others) await completed(runId);
    await until('it was tried again', async () => said.length >= 2);

    // then
    expect(await runOf(stuck)).to.include({ outcome: null, currentStep: 'listen' });
    isTaken = () => true;
    await completed(stuck);
    for (const runId of runIds) expect(await count(runId, 'signal.received listen')).to.equal(1);
  });
});
