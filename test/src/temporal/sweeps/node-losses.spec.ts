import type { Client } from '@countersign/contract';
import type { StoragePort } from '@countersign/core';
import { openPostgresStorage } from '@countersign/storage-postgres';
import {
  bpmn,
  createMigratedTestDatabase,
  seconds,
  serviceTask,
  type TestDatabase,
  waitUntil,
} from '@countersign/testing';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mapConcurrently } from '../../conformance/map-concurrently.js';
import { checkEffects } from '../../recovery/check-effects.spec.support.js';
import { buildOutline, loadVerifiedAudit, loadVerifiedEvents } from '../../recovery/check-history.spec.support.js';
import { RestartingServer } from '../../recovery/restarting-server.spec.support.js';
import { TemporalCluster } from '../temporal-cluster.spec.support.js';
import { describeOnTemporal } from '../temporal-server.spec.support.js';
import { RepeatedKills, ROUND_OF_KILLS } from './repeated-kills.spec.support.js';

const RUNS = Number(process.env['COUNTERSIGN_TEST_RUNS'] ?? '500');
const SERVER_COUNT = 3;
/** Maximum number of runs that wait for their start or their votes. */
const CONCURRENCY = 24;

/** Each run lasts longer than it takes to kill every node once. Its first job fails once. */
const RELEASE = bpmn.sequence(
  'release',
  bpmn.START,
  serviceTask('build', 'prepare'),
  bpmn.userTask('approve', { 'approval.quorum': '2' }),
  serviceTask('stage', 'publish'),
  bpmn.catchEvent('pause', bpmn.timer('timeDuration', `PT${Math.ceil(seconds(ROUND_OF_KILLS) / 1_000)}S`)),
  serviceTask('publish', 'publish'),
  bpmn.END,
);

describeOnTemporal('loss of nodes and servers', function () {
  this.timeout(1_800_000);

  let dataDirectory: string;
  let database: TestDatabase;
  let cluster: TemporalCluster;
  let servers: readonly RestartingServer[];
  let storage: StoragePort;
  let closeStorage: () => Promise<void>;

  before(async () => {
    dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-node-losses-'));
    database = await createMigratedTestDatabase();
    const { connectionString } = database;
    cluster = await TemporalCluster.start();
    const { configuration } = cluster;
    const startServer = () =>
      new RestartingServer({ dataDirectory, connectionString, effects: connectionString, configuration });
    servers = Array.from({ length: SERVER_COUNT }, startServer);
    ({ storage, close: closeStorage } = await openPostgresStorage({ connectionString, poolSize: 4 }));
  });

  after(async () => {
    for (const server of servers ?? []) await server.stop();
    await closeStorage?.();
    await cluster?.close();
    await database?.drop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  it(`should complete ${RUNS} runs, count each vote once and apply each effect once while nodes and servers are killed`, async () => {
    // given
    const [first, second] = servers as [RestartingServer, RestartingServer];
    await (await first.client('admin', 'root')).deployWorkflow({ body: RELEASE });
    const starters = await Promise.all(servers.map((server) => server.client('viewer', 'vera')));
    const voters = await Promise.all([first.client('approver', 'bea'), second.client('approver', 'cem')]);
    const startedAt = performance.now();
    const kills = new RepeatedKills(cluster, servers);

    // when
    const runIds = await mapConcurrently([...Array(RUNS).keys()], CONCURRENCY, async (index) => {
      const runId = await startRun(starters[index % starters.length]!);
      await vote(runId, voters);
      return runId;
    });
    await waitUntil(
      'all runs end',
      async () => {
        const { items } = await storage.listRuns({ workflowId: 'release' }, { limit: RUNS + 1 });
        return items.every(({ outcome }) => outcome !== null);
      },
      900,
    );
    await kills.stop();
    const serverKills = servers.map((server) => server.kills);
    process.stdout.write(
      `${RUNS} runs took ${Math.round((performance.now() - startedAt) / 1_000)} s; kills of each node: ${kills.nodeKills.join(', ')}; of each server: ${serverKills.join(', ')}\n`,
    );

    // then
    expect(Math.min(...kills.nodeKills, ...serverKills), 'kills of each node and server').to.be.greaterThan(0);
    const { items } = await storage.listRuns({ workflowId: 'release' }, { limit: RUNS + 1 });
    expect(items.map(({ runId }) => runId)).to.have.members(runIds);
    const outlines = new Set<string>();
    for (const { runId, outcome } of items) {
      expect(outcome, runId).to.equal('completed');
      outlines.add(buildOutline(await loadVerifiedEvents(storage, runId)).join('\n'));
      await loadVerifiedAudit(storage, runId);
      const approvals = (await storage.listApprovals({ runId }, { limit: 2 })).items;
      expect(approvals.map(({ votes }) => votes.map(({ by, decision }) => `${by} ${decision}`).sort())).to.deep.equal([
        ['bea approve', 'cem approve'],
      ]);
      await checkEffects(database.connectionString, runId, ['build', 'publish', 'stage']);
    }
    expect([...outlines], 'outlines of the histories').to.have.length(1);
    await loadVerifiedAudit(storage, null);
    await waitUntil(
      'the cluster accepts all announcements',
      async () => (await storage.countAnnouncements('temporal')).count === 0,
    );
  });

  async function startRun(client: Client): Promise<string> {
    const { runId } = await client.startRun({ body: { workflowId: 'release' } }, { idempotencyKey: randomUUID() });
    return runId;
  }

  /** Votes for the approval of a run, through two servers concurrently. */
  async function vote(runId: string, voters: readonly Client[]): Promise<void> {
    const approvalId = await waitUntil(
      'the run requests an approval',
      async () => (await storage.listApprovals({ runId }, { limit: 1 })).items[0]?.approvalId,
      300,
    );
    await Promise.all(
      voters.map((voter) =>
        voter.decideApproval({ approvalId, body: { decision: 'approve' } }, { idempotencyKey: randomUUID() }),
      ),
    );
  }
});
