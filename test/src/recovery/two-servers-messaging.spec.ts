import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { waitUntil } from '@countersign/testing';
import { waitUntilQuiet } from './check-effects.spec.support.js';
import { buildOutline, loadVerifiedAudit, loadVerifiedEvents } from './check-history.spec.support.js';
import type { Failpoint } from './failpoints.js';
import { IMPATIENT_OPTIONS } from './server-child.spec.support.js';
import { MESSAGING_DECISIONS, MESSAGING_WORKFLOWS } from './messaging-workflows.js';
import { startTwoServers, type ServerOfPair, type TwoServers } from './two-servers.spec.support.js';

const RUN_COUNT = 24;
const WORKFLOWS = ['talk', 'sell', 'order', 'inform'] as const;

type Visits = Partial<Record<Failpoint, number>>;

/** Starts runs, half of them on each server (or all on one), and waits until all have subscribed. */
async function startMessagingRuns({ storage }: TwoServers, starters: readonly ServerOfPair[]): Promise<void> {
  const clients = await Promise.all(starters.map((each) => each.client('viewer', 'vera')));
  for (let index = 0; index < RUN_COUNT; index += 1) {
    await clients[index % clients.length]?.startRun({
      body: { workflowId: 'talk', inputs: { amount: 3, key: randomUUID() } },
    });
  }
  await waitUntil('all runs listen', async () => {
    const { items } = await storage.listRuns({ workflowId: 'talk' }, { limit: 200 });
    return items.length === RUN_COUNT && items.every(({ currentStep }) => currentStep === 'listen');
  });
}

/**
 * Checks that each workflow has the expected runs, that all of them have ended, and that their histories have the same
 * outline.
 */
async function checkMessagingRuns({ storage, connectionString }: TwoServers): Promise<void> {
  for (const workflowId of WORKFLOWS) {
    const runs = await waitUntil(`all runs of "${workflowId}" end`, async () => {
      const { items } = await storage.listRuns({ workflowId }, { limit: 200 });
      return items.length >= RUN_COUNT && items.every(({ outcome }) => outcome === 'completed') && items;
    });
    expect(runs, workflowId).to.have.length(RUN_COUNT);
  }
  await waitUntilQuiet(connectionString);
  for (const workflowId of WORKFLOWS) {
    const { items } = await storage.listRuns({ workflowId }, { limit: 200 });
    expect(items, workflowId).to.have.length(RUN_COUNT);
    const outlines = await Promise.all(
      items.map(async ({ runId }) => buildOutline(await loadVerifiedEvents(storage, runId)).join('\n')),
    );
    expect(new Set(outlines), workflowId).to.have.length(1);
    for (const { runId } of items) await loadVerifiedAudit(storage, runId);
  }
  await loadVerifiedAudit(storage, null);
}

describe('two servers on one database, with runs that send messages to each other', function () {
  this.timeout(120_000);

  let servers: TwoServers;

  afterEach(() => servers.stop());

  async function start(options: Parameters<typeof startTwoServers>[0] = {}): Promise<TwoServers> {
    servers = await startTwoServers(options);
    const admins = await Promise.all([servers.left, servers.right].map((each) => each.client('admin', 'root')));
    await admins[0]?.deployDecisions({ body: MESSAGING_DECISIONS });
    // Concurrently, like two servers that start with the same workflow directory.
    const deployed = await Promise.all(admins.map((admin) => admin.deployWorkflow({ body: MESSAGING_WORKFLOWS })));
    for (const { version, alsoDeployed } of deployed)
      expect(new Set([version, ...alsoDeployed.map((each) => each.version)])).to.deep.equal(new Set([1]));
    return servers;
  }

  const armFailpoint = (
    { process }: ServerOfPair,
    failpoint: Failpoint | null,
    visit = 1,
    signal: 'SIGKILL' | 'SIGSTOP' = 'SIGKILL',
  ) => process.request({ type: 'arm', failpoint, visit, signal });
  const holdAtFailpoint = ({ process }: ServerOfPair, failpoint: Failpoint | null) =>
    process.request({ type: 'hold', failpoint });
  const broadcastNews = ({ process }: ServerOfPair) => process.request({ type: 'broadcast', signalName: 'news' });

  it('should deliver each message once, with deliveries by both servers', async () => {
    // given
    const { left, right, storage } = await start();
    await waitUntil('the start timer has fired', async () => (await storage.nextStartTimerAt()) === null);
    await Promise.all([armFailpoint(left, null), armFailpoint(right, null)]);

    // when
    await startMessagingRuns(servers, [left, right]);
    await broadcastNews(right);
    await checkMessagingRuns(servers);

    // then
    const visits = await Promise.all([left, right].map(({ process }) => process.request<Visits>({ type: 'visits' })));
    const countVisits = (failpoint: Failpoint) => visits.map((each) => each[failpoint] ?? 0);
    const sumVisits = (failpoint: Failpoint) => countVisits(failpoint).reduce((sum, each) => sum + each, 0);
    expect(sumVisits('after:run.start')).to.equal(4 * RUN_COUNT);
    expect(sumVisits('after:child.report')).to.equal(RUN_COUNT);
    expect(sumVisits('after:message.correlate')).to.equal(RUN_COUNT);
    expect(sumVisits('after:signal.receive')).to.equal(2 * RUN_COUNT);
    expect(Math.min(...countVisits('after:child.report')), 'child reports delivered by each server').to.be.greaterThan(
      0,
    );
    expect(
      (await storage.listRuns({ workflowId: 'daily' }, { limit: 10 })).items,
      'runs of the start timer that both servers poll',
    ).to.have.length(1);
  });

  for (const [failpoint, visit] of [
    ['after:claimOutgoing', 1],
    ['before:signal.receive', 5],
    ['after:signal.receive', 5],
    ['before:deleteDelivered', 1],
  ] as const) {
    it(`should take over the deliveries of a server that was killed: ${failpoint} #${visit}`, async () => {
      // given
      const { left, right } = await start({ leaseMs: IMPATIENT_OPTIONS.leaseMs });
      await startMessagingRuns(servers, [left]);
      // Otherwise the right server may deliver first and leave too few messages for the server that will be killed.
      await holdAtFailpoint(right, 'before:claimOutgoing');
      await armFailpoint(left, failpoint, visit);

      // when
      await broadcastNews(right);
      expect(await left.process.ended).to.equal('SIGKILL');
      await holdAtFailpoint(right, null);

      // then
      await checkMessagingRuns(servers);
    });
  }

  it('should ignore a server that continues its delivery after its lease expired', async () => {
    // given
    const { left, right } = await start({ leaseMs: IMPATIENT_OPTIONS.leaseMs });
    await startMessagingRuns(servers, [left]);
    await armFailpoint(right, null);
    // Otherwise the right server may deliver first and leave too few messages for the server that will be stopped.
    await holdAtFailpoint(right, 'before:claimOutgoing');
    await armFailpoint(left, 'before:signal.receive', 5, 'SIGSTOP');

    // when
    await broadcastNews(right);
    await waitUntil('the left server is stopped', async () =>
      left.process.output.includes('SIGSTOP at before:signal.receive #5'),
    );
    await holdAtFailpoint(right, null);
    await checkMessagingRuns(servers);
    left.process.continueProcess();

    // then
    await left.process.request({ type: 'visits' });
    await waitUntil(
      'the left server has tried to delete the delivered messages',
      async () => (await left.process.request<Visits>({ type: 'visits' }))['before:deleteDelivered'],
    );
    await checkMessagingRuns(servers);
    const visits = await Promise.all([left, right].map(({ process }) => process.request<Visits>({ type: 'visits' })));
    expect(
      visits.reduce((sum, each) => sum + (each['after:signal.receive'] ?? 0), 0),
      'each signal is received once',
    ).to.equal(2 * RUN_COUNT);
  });
});
