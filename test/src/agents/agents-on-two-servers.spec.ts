import { EnginePort, StoragePort } from '@countersign/core';
import { createTestHost, processModel, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { loadVerifiedEvents } from '../recovery/check-history.spec.support.js';
import { createImpatientEngine } from '../recovery/impatient-engine.js';
import { ManualAgents, createWriteCall } from './manual-agents.spec.support.js';
import { writePermissivePolicies } from './permissive-policies.spec.support.js';

const MODEL = processModel(
  'triage',
  '<bpmn:startEvent id="start" /><bpmn:serviceTask id="agent"><bpmn:extensionElements><zeebe:taskDefinition type="agent" /></bpmn:extensionElements></bpmn:serviceTask><bpmn:endEvent id="end" />',
  'start > agent',
  'agent > end',
);

describe('agents on two servers', () => {
  let directory: string;
  let left: TestHost;
  let right: TestHost;
  let agents: ManualAgents;
  let storage: StoragePort;
  let database: pg.Client;

  /**
   * Starts two servers with few active jobs, so that both execute calls, and with a long lease, so that no lease is
   * renewed during a test.
   */
  async function startServers(maxActiveJobs: number): Promise<void> {
    agents = new ManualAgents();
    const engine = { plugin: createImpatientEngine({ maxActiveJobs, pollMs: 20, leaseMs: 600_000 }) };
    directory = await mkdtemp(join(tmpdir(), 'countersign-agents-'));
    const configuration = await writePermissivePolicies(directory);
    left = await createTestHost({ configuration, plugins: [agents.plugin('left')], engine });
    right = await createTestHost({ configuration, plugins: [agents.plugin('right')], engine, shareDataWith: left });
    storage = left.host.get(StoragePort);
    database = new pg.Client({ connectionString: left.database.connectionString });
    await database.connect();
    await left.deploy(MODEL);
  }

  afterEach(async () => {
    await database.end();
    await right.close();
    await left.close();
    await rm(directory, { recursive: true, force: true });
  });

  const start = async (): Promise<string> =>
    (await (await left.client('viewer', 'vera')).startRun({ body: { workflowId: 'triage' } })).runId;
  const waitUntilEnded = (runId: string) =>
    waitUntil('the run ends', async () => (await storage.findRun(runId))?.run.outcome ?? false);

  it('should execute each call once, on either server', async () => {
    // given
    await startServers(4);
    const runId = await start();
    const count = 40;
    (await agents.nextTurn()).respond(Array.from({ length: count }, (_, index) => createWriteCall(`tool-${index}`)));

    // when
    for (let made = 0; made < count; made += 1) (await agents.nextCall()).succeed();
    (await agents.nextTurn()).respond({});

    // then
    expect(await waitUntilEnded(runId)).to.equal('completed');
    expect(agents.startedCalls).to.have.length(count);
    expect(new Set(agents.startedCalls.map(({ callId }) => callId)).size).to.equal(count);
    expect(new Set(agents.startedCalls.map(({ serverName }) => serverName))).to.deep.equal(new Set(['left', 'right']));
    expect(
      (await loadVerifiedEvents(storage, runId)).filter(({ type }) => type === 'agent.call.completed'),
    ).to.have.length(count);
  });

  it('should redeliver a call to the server that takes over its lease and ignore the result of the first server', async () => {
    // given
    await startServers(1);
    const runId = await start();
    (await agents.nextTurn()).respond([createWriteCall('label')]);
    const first = await agents.nextCall();
    expect(first.job.isRedelivered).to.equal(false);

    // when
    const aborted = new Promise((resolve) => first.job.signal.addEventListener('abort', resolve, { once: true }));
    await database.query('UPDATE jobs SET available_at = now() WHERE run_id = $1', [runId]);
    const second = await agents.nextCall();
    await aborted;
    first.succeed('by the first');

    // then
    expect(second.serverName).not.to.equal(first.serverName);
    expect(second.job)
      .to.deep.include({ isRedelivered: true, attempt: 1 })
      .and.have.nested.property('call.callId', first.job.call.callId);
    second.succeed('by the second');
    (await agents.nextTurn()).respond({});
    expect(await waitUntilEnded(runId)).to.equal('completed');
    const callResults = (await loadVerifiedEvents(storage, runId))
      .filter(({ type }) => type === 'agent.call.completed')
      .map((event) => event.private?.['content']);
    expect(callResults).to.deep.equal(['by the second']);
  });

  it('should abort a call when the other server cancels its run, long before the lease expires', async () => {
    // given
    await startServers(4);
    const runId = await start();
    (await agents.nextTurn()).respond([createWriteCall('label')]);
    const pendingCall = await agents.nextCall();
    const other = pendingCall.serverName === 'left' ? right : left;
    const aborted = new Promise((resolve) => pendingCall.job.signal.addEventListener('abort', resolve, { once: true }));

    // when
    const context = { actor: { type: 'user', id: 'otto', name: 'Otto' }, from: null, traceId: null } as const;
    await other.host.get(EnginePort).cancelRun({ runId, reason: null, context, respond: () => ({}) });

    // then
    await aborted;
    expect(await waitUntilEnded(runId)).to.equal('cancelled');
  });
});
