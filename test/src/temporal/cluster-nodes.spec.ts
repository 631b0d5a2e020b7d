import type { Client } from '@countersign/contract';
import { bpmn, serviceTask, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { waitForApproval, waitForEnd } from '../http/http.spec.support.js';
import { SHARD_COUNT, TemporalCluster } from './temporal-cluster.spec.support.js';
import { createTemporalHost } from './temporal-host.spec.support.js';
import type { TemporalNode } from './temporal-node.spec.support.js';
import { describeOnTemporal } from './temporal-server.spec.support.js';

const ROLES = ['frontend', 'history', 'matching', 'worker'] as const;
const SHARDS = Array.from({ length: SHARD_COUNT }, (_, index) => index + 1);

const RELEASE = bpmn.sequence(
  'release',
  bpmn.START,
  serviceTask('build', 'work'),
  bpmn.userTask('approve'),
  bpmn.catchEvent('pause', bpmn.timer('timeDuration', 'PT0.1S')),
  serviceTask('publish', 'work'),
  bpmn.END,
);

describeOnTemporal('three nodes', function () {
  this.timeout(180_000);
  let cluster: TemporalCluster;
  let host: TestHost;
  let viewer: Client;
  let approver: Client;
  let operator: Client;

  before(async () => {
    cluster = await TemporalCluster.start();
    host = await createTemporalHost(cluster);
    [viewer, approver, operator] = await Promise.all([
      host.client('viewer', 'vera'),
      host.client('approver', 'ada'),
      host.client('operator'),
    ]);
    await host.deploy(RELEASE);
  });

  after(async () => {
    await host?.close();
    await cluster?.close();
  });

  afterEach(() => cluster.ensureRunning());

  const startRelease = async (): Promise<string> =>
    (await viewer.startRun({ body: { workflowId: 'release', inputs: {} } })).runId;

  const approve = async (runId: string): Promise<void> => {
    const { approvalId } = await waitForApproval(viewer, runId);
    await approver.decideApproval({ approvalId, body: { decision: 'approve' } });
  };

  /** Waits until the members are exactly these nodes, in each role, and their history services own all shards. */
  const waitForMembers = async (nodes: readonly TemporalNode[]) => {
    const expected = nodes.flatMap((node) => ROLES.map((role) => `${role} ${node.getAddress(role)}`)).sort();
    return waitUntil(
      `the members are ${expected.join(', ')}, and own all shards`,
      async () => {
        const members = (await operator.getEngine()).topology?.members ?? [];
        const reported = members.map(({ role, address }) => `${role} ${address}`).sort();
        const ownedShards = members.flatMap(({ shards }) => shards ?? []).sort((one, other) => one - other);
        return reported.join() === expected.join() && ownedShards.join() === SHARDS.join() && members;
      },
      60,
    );
  };

  it('should complete a run, and report the members of all nodes with their shards', async () => {
    // when
    const runId = await startRelease();
    await host.jobs.complete('work', {});
    await approve(runId);
    await host.jobs.complete('work', {});

    // then
    expect(await waitForEnd(viewer, runId)).to.include({ outcome: 'completed' });
    const members = await waitForMembers(cluster.nodes);
    expect(members.filter(({ shards }) => shards !== null).map(({ role }) => role)).to.deep.equal(
      cluster.nodes.map(() => 'history'),
    );
  });

  it('should continue a run after the node that owns its workflow dies, and report the members that are left', async () => {
    // given
    const runId = await startRelease();
    await host.jobs.complete('work', {});
    await waitForApproval(viewer, runId);
    const members = await waitForMembers(cluster.nodes);
    const shard = await cluster.findShard(runId);
    const owner = members.find(({ shards }) => shards?.includes(shard) === true);
    const node =
      cluster.nodes.find((each) => each.getAddress('history') === owner?.address) ??
      expect.fail(`no node owns shard ${shard}`);

    // when
    await node.kill();

    // then
    await approve(runId);
    await host.jobs.complete('work', {});
    expect(await waitForEnd(viewer, runId, 60)).to.include({ outcome: 'completed' });
    await waitForMembers(cluster.nodes.filter((each) => each !== node));
    await cluster.ensureRunning();
    await waitForMembers(cluster.nodes);
  });
});
