import { createClient, type Client } from '@countersign/contract';
import { mintDevToken } from '@countersign/server';
import { processModel, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startOutsideService, type OutsideService } from './outside-service.spec.support.js';
import {
  signalProcessGroup,
  readPostmasterPid,
  findProcesses,
  startInTerminal,
  type TerminalProcess,
} from './terminal.spec.support.js';

const PLUGIN = fileURLToPath(new URL('./outside-plugin.js', import.meta.url));

const outsideTask = (id: string, url: string): string =>
  `<bpmn:serviceTask id="${id}"><bpmn:extensionElements>
    <zeebe:taskDefinition type="outside" /><zeebe:taskHeaders><zeebe:header key="url" value="${url}" /></zeebe:taskHeaders>
  </bpmn:extensionElements></bpmn:serviceTask>`;

/**
 * Returns a workflow with two jobs and an approval. The result of the first job offers the second job while the server
 * stops.
 */
const outsideModel = (url: string): string =>
  processModel(
    'errands',
    `<bpmn:startEvent id="start" />${outsideTask('first', url)}${outsideTask('second', url)}<bpmn:userTask id="review" name="Review" /><bpmn:endEvent id="end" />`,
    'start > first',
    'first > second',
    'second > review',
    'review > end',
  );

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('Ctrl-C during a job', function () {
  this.timeout(120_000);

  let directory: string;
  let dataDirectory: string;
  let outsideService: OutsideService;
  let children: ChildProcess[];

  before(function () {
    // The test finds remaining processes in /proc.
    if (process.platform !== 'linux') this.skip();
  });

  beforeEach(async () => {
    children = [];
    directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-drain-'));
    dataDirectory = join(directory, 'data');
    outsideService = await startOutsideService();
    await mkdir(join(directory, 'workflows'));
    await writeFile(join(directory, 'workflows', 'errands.bpmn'), outsideModel(outsideService.url));
  });

  afterEach(async () => {
    for (const child of children)
      if (child.exitCode === null && child.signalCode === null) signalProcessGroup(child, 'SIGKILL');
    await outsideService.close();
    await waitUntil('all processes have ended', async () => (await findProcesses(directory)).length === 0);
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  function start(): TerminalProcess {
    const settings = [
      `Plugins:0=${PLUGIN}`,
      'Integrations:CodeHost:Enabled=false',
      `Workflows:Directory=${join(directory, 'workflows')}`,
    ];
    const server = startInTerminal(dataDirectory, { options: settings.flatMap((each) => ['--set', each]) });
    children.push(server.child);
    return server;
  }

  async function createClientFor(server: TerminalProcess): Promise<Client> {
    const { token } = await mintDevToken({ dataDirectory, subject: 'vera', role: 'viewer' });
    return createClient({ baseUrl: await server.url, token });
  }

  const waitForRequests = (count: number) =>
    waitUntil(`the outside service has ${count} requests`, async () => outsideService.requests.length >= count);

  it('should refuse new requests but keep the database running until the job result is written', async () => {
    // given
    const server = start();
    const { runId } = await (await createClientFor(server)).startRun({ body: { workflowId: 'errands' } });
    await waitForRequests(1);
    const postmaster = await readPostmasterPid(dataDirectory);

    // when
    signalProcessGroup(server.child, 'SIGINT');
    await waitUntil('the server refuses connections', async () => isRefused(await server.url));

    // then
    expect(server.child.exitCode, server.output()).to.equal(null);
    expect(isAlive(postmaster), 'PostgreSQL serves').to.equal(true);

    // when the outside service responds
    outsideService.respondToAll('done');
    await server.closed;

    // then everything has shut down in order, and the second job was not started
    expect(server.child.exitCode, server.output()).to.equal(0);
    expect(server.output())
      .to.contain('Stopping')
      .and.not.match(/ERROR|WARN/);
    expect(isAlive(postmaster), 'PostgreSQL serves').to.equal(false);
    expect(outsideService.requests).to.have.length(1);

    // and the next start continues after the first job
    const restartedServer = start();
    const client = await createClientFor(restartedServer);
    await waitForRequests(2);
    const { steps } = await client.getRun({ runId });
    expect(steps.map(({ elementId, status }) => `${elementId} ${status}`)).to.include.members([
      'first completed',
      'second active',
    ]);
    outsideService.respondToAll('done');
    for await (const event of client.streamRunEvents({ runId, after: 0 }))
      if (event.type === 'approval.requested') break;
    expect(new Set(outsideService.requests), 'each job once').to.have.length(2);
    expect(outsideService.requests).to.have.length(2);
    signalProcessGroup(restartedServer.child, 'SIGINT');
    await restartedServer.closed;
    expect(restartedServer.child.exitCode, restartedServer.output()).to.equal(0);
    expect(restartedServer.output(), 'no wait has timed out').not.to.match(/ERROR|WARN/);
  });
});

/** Returns whether a server refuses connections. */
async function isRefused(url: string): Promise<boolean> {
  try {
    // On a new connection, because a persistent one may still be open.
    await once(request(`${url}/api/health/live`, { agent: false }).end(), 'response');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
  }
}
