import { createClient } from '@countersign/contract';
import { mintDevToken } from '@countersign/server';
import { createMigratedTestDatabase, processModel, type TestDatabase, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, type RunningServer } from '../cli/cli.spec.support.js';
import { findFreePort } from '../free-port.spec.support.js';
import { hasHaproxy, startHaproxy, type Haproxy } from './haproxy.spec.support.js';
import { startLoad, type Load } from './steady-load.spec.support.js';

const MODEL = processModel(
  'ask',
  '<bpmn:startEvent id="start" /><bpmn:userTask id="ok" name="OK?" /><bpmn:endEvent id="end" />',
  'start > ok',
  'ok > end',
);
const CLIENT_COUNT = 4;
/** Minimum number of requests; they continue until both servers have been restarted. */
const MIN_REQUESTS = 3_000;
const SERVER_NAMES = ['left', 'right'] as const;

describe('rolling restart of two servers behind HAProxy', function () {
  this.timeout(300_000);

  let directory: string;
  let database: TestDatabase;
  let servers: Map<string, RunningServer>;
  let loadBalancer: Haproxy;
  let clients: Load | undefined;
  let followAbort: AbortController;

  before(function () {
    if (!hasHaproxy()) this.skip();
  });

  beforeEach(async () => {
    directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-rolling-'));
    database = await createMigratedTestDatabase();
    servers = new Map();
    followAbort = new AbortController();
  });

  afterEach(async () => {
    followAbort.abort();
    await clients?.stop();
    await loadBalancer?.stop();
    await Promise.all([...servers.values()].map((server) => server.end('SIGKILL')));
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  function start(drainDelay: string, port: string): Promise<RunningServer> {
    const settings = [
      `Server:DrainDelay=${drainDelay}`,
      `Storage:Postgres:ConnectionString=${database.connectionString}`,
      'Limits:RequestsPerMinute=1000000',
    ];
    return startServer(['--port', port, '--data', directory, ...settings.flatMap((each) => ['--set', each])], {
      cwd: directory,
    });
  }

  async function startBoth(drainDelay: string): Promise<void> {
    for (const name of SERVER_NAMES) servers.set(name, await start(drainDelay, String(await findFreePort())));
    loadBalancer = await startHaproxy(
      directory,
      [...servers].map(([name, { url }]) => ({ name, port: Number(new URL(url).port) })),
    );
    for (const name of SERVER_NAMES) await loadBalancer.waitUntilUp(name);
    await createClient({ baseUrl: loadBalancer.url, token: await mintToken('admin') }).deployWorkflow({ body: MODEL });
  }

  async function restart(name: string, drainDelay: string): Promise<void> {
    const server = servers.get(name)!;
    const { code } = await server.end('SIGTERM');
    expect(code, server.output()).to.equal(0);
    servers.set(name, await start(drainDelay, new URL(server.url).port));
    await loadBalancer.waitUntilUp(name);
  }

  const mintToken = async (role: 'admin' | 'operator' | 'approver'): Promise<string> =>
    (await mintDevToken({ dataDirectory: directory, subject: role, role })).token;

  const startClients = async (): Promise<Load> =>
    (clients = startLoad({
      url: loadBalancer.url,
      starterToken: await mintToken('operator'),
      approverToken: await mintToken('approver'),
      workflowId: 'ask',
      clientCount: CLIENT_COUNT,
    }));

  it('should fail no request, keep every acknowledged run and stream every change to a client', async () => {
    // given
    await startBoth('PT8S');
    const reportedRunIds = new Set<string>();
    const followingClient = createClient({ baseUrl: loadBalancer.url, token: await mintToken('operator') });
    const followedStream = (async () => {
      for await (const message of followingClient.streamChanges({ signal: followAbort.signal }))
        if (message.type === 'change') reportedRunIds.add(message.change.runId);
    })().catch((error: unknown) => {
      if (!followAbort.signal.aborted) throw error;
    });
    const load = await startClients();
    await waitUntil('the follower has received runs', async () => reportedRunIds.size > 0);
    const unreportedRunCount = load.runIds.filter((runId) => !reportedRunIds.has(runId)).length;

    // when
    for (const name of SERVER_NAMES) await restart(name, 'PT8S');
    await waitUntil('enough requests were sent', async () => load.requests >= MIN_REQUESTS, 120);
    await load.stop();

    // then
    expect(load.failures.length, load.failures.slice(0, 5).join('\n')).to.equal(0);
    expect(load.responseCounts.started).to.be.greaterThan(MIN_REQUESTS / 5);
    expect(load.responseCounts.decided).to.equal(load.responseCounts.started);
    const completed = await followingClient.listRuns({ status: 'completed', limit: 1 });
    expect(completed.items).to.have.length(1);
    for (const runId of load.runIds.slice(-200))
      expect((await followingClient.getRun({ runId })).outcome).to.equal('completed');

    // and the follower was connected to the other server in time, and missed nothing
    await waitUntil(
      'the follower has received all runs',
      async () => load.runIds.filter((runId) => !reportedRunIds.has(runId)).length <= unreportedRunCount,
    );
    followAbort.abort();
    await followedStream;
  });

  it('should fail requests without a drain delay, which proves that HAProxy hides no failures', async () => {
    // given
    await startBoth('PT0S');
    const load = await startClients();
    await waitUntil('the load balancer forwards requests', async () => load.requests > 100);

    // when
    await restart('left', 'PT0S');
    await load.stop();

    // then
    expect(
      load.failures.some((failure) => failure.includes(' 503 ')),
      load.failures.slice(0, 3).join('\n'),
    ).to.equal(true);
  });
});
