import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { until } from '@countersign/testing';
import { untilQuiet } from './check-effects.spec.support.js';
import { outlineOf, verifiedAudit, verifiedEvents } from './check-history.spec.support.js';
import type { Failpoint } from './failpoints.js';
import { IMPATIENT } from './server-child.spec.support.js';
import { TALKING_DECISIONS, TALKING_WORKFLOWS } from './talking-workflows.js';
import { startTwoServers, type OneOfTwo, type TwoServers } from './two-servers.spec.support.js';

const TALKS = 24;
const WORKFLOWS = ['talk', 'sell', 'order', 'inform'] as const;

type Visits = Partial<Record<Failpoint, number>>;

/** Starts runs, half of them on each server (or all on one), and waits until all have subscribed. */
async function talking({ storage }: TwoServers, starters: readonly OneOfTwo[]): Promise<void> {
  const clients = await Promise.all(starters.map((each) => each.client('viewer', 'vera')));
  for (let index = 0; index < TALKS; index += 1) {
    await clients[index % clients.length]?.startRun({
      body: { workflowId: 'talk', inputs: { amount: 3, key: randomUUID() } },
    });
  }
  await until('all runs listen', async () => {
    const { items } = await storage.listRuns({ workflowId: 'talk' }, { limit: 200 });
    return items.length === TALKS && items.every(({ currentStep }) => currentStep === 'listen');
  });
}

/** Checks that each workflow has the expected runs, that all have ended, and that their histories are alike. */
async function checkTalks({ storage, connectionString }: TwoServers): Promise<void> {
  for (const workflowId of WORKFLOWS) {
    const runs = await until(`all runs of "${workflowId}" end`, async () => {
      const { items } = await storage.listRuns({ workflowId }, { limit: 200 });
      return items.length >= TALKS && items.every(({ outcome }) => outcome === 'completed') && items;
    });
    expect(runs, workflowId).to.have.length(TALKS);
  }
  await untilQuiet(connectionString);
  for (const workflowId of WORKFLOWS) {
    const { items } = await storage.listRuns({ workflowId }, { limit: 200 });
    expect(items, workflowId).to.have.length(TALKS);
    const outlines = await Promise.all(
      items.map(async ({ runId }) => outlineOf(await verifiedEvents(storage, runId)).join('\n')),
    );
    expect(new Set(outlines), workflowId).to.have.length(1);
    for (const { runId } of items) await verifiedAudit(storage, runId);
  }
  await verifiedAudit(storage, null);
}

describe('two servers on one database, with runs that send messages to each other', function () {
  this.timeout(120_000);

  let servers: TwoServers;

  afterEach(() => servers.stop());

  async function start(options: Parameters<typeof startTwoServers>[0] = {}): Promise<TwoServers> {
    servers = await startTwoServers(options);
    const admins = await Promise.all([servers.left, servers.right].map((each) => each.client('admin', 'root')));
    await admins[0]?.deployDecisions({ body: TALKING_DECISIONS });
    // Concurrently, as two servers do that start with the same directory of workflows.
    const deployed = await Promise.all(admins.map((admin) => admin.deployWorkflow({ body: TALKING_WORKFLOWS })));
    for (const { version, alsoDeployed } of deployed)
      expect(new Set([version, ...alsoDeployed.map((each) => each.version)])).to.deep.equal(new Set([1]));
    return servers;
  }

  const arm = (
    { process }: OneOfTwo,
    failpoint: Failpoint | null,
    visit = 1,
    signal: 'SIGKILL' | 'SIGSTOP' = 'SIGKILL',
  ) => process.request({ type: 'arm', failpoint, visit, signal });
  const hold = ({ process }: OneOfTwo, failpoint: Failpoint | null) => process.request({ type: 'hold', failpoint });
  const hear = ({ process }: OneOfTwo) => process.request({ type: 'broadcast', signalName: 'news' });

  it('should deliver each message once, with deliveries by both servers', async () => {
    // given
    const { left, right, storage } = await start();
    await until('the start timer has fired', async () => (await storage.nextStartTimerAt()) === null);
    await Promise.all([arm(left, null), arm(right, null)]);

    // when
    await talking(servers, [left, right]);
    await hear(right);
    await checkTalks(servers);

    // then
    const visits = await Promise.all([left, right].map(({ process }) => process.request<Visits>({ type: 'visits' })));
    const written = (failpoint: Failpoint) => visits.map((each) => each[failpoint] ?? 0);
    const total = (failpoint: Failpoint) => written(failpoint).reduce((sum, each) => sum + each, 0);
    expect(total('after:run.start')).to.equal(4 * TALKS);
    expect(total('after:child.report')).to.equal(TALKS);
    expect(total('after:message.correlate')).to.equal(TALKS);
    expect(total('after:signal.receive')).to.equal(2 * TALKS);
    expect(Math.min(...written('after:child.report')), 'both of them deliver').to.be.greaterThan(0);
    expect(
      (await storage.listRuns({ workflowId: 'daily' }, { limit: 10 })).items,
      'a timer that both of them see',
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
      const { left, right } = await start({ leaseMs: IMPATIENT.leaseMs });
      await talking(servers, [left]);
      // Otherwise it may deliver first and leave too little for the server that is to be killed.
      await hold(right, 'before:claimOutgoing');
      await arm(left, failpoint, visit);

      // when
      await hear(right);
      expect(await left.process.ended).to.equal('SIGKILL');
      await hold(right, null);

      // then
      await checkTalks(servers);
    });
  }

  it('should ignore a server that continues its delivery after its lease expired', async () => {
    // given
    const { left, right } = await start({ leaseMs: IMPATIENT.leaseMs });
    await talking(servers, [left]);
    await arm(right, null);
    // Otherwise it may deliver first and leave too little for the server that is to be stopped.
    await hold(right, 'before:claimOutgoing');
    await arm(left, 'before:signal.receive', 5, 'SIGSTOP');

    // when
    await hear(right);
    await until('it is stopped', async () => left.process.output.includes('SIGSTOP at before:signal.receive #5'));
    await hold(right, null);
    await checkTalks(servers);
    left.process.proceed();

    // then
    await left.process.request({ type: 'visits' });
    await until(
      'it has given up',
      async () => (await left.process.request<Visits>({ type: 'visits' }))['before:deleteDelivered'],
    );
    await checkTalks(servers);
    const visits = await Promise.all([left, right].map(({ process }) => process.request<Visits>({ type: 'visits' })));
    expect(
      visits.reduce((sum, each) => sum + (each['after:signal.receive'] ?? 0), 0),
      'each signal is received once',
    ).to.equal(2 * TALKS);
  });
});
