import { expect } from 'chai';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@countersign/testing';
import {
  signalProcessGroup,
  readPostmasterPid,
  findProcesses,
  startInTerminal,
  type TerminalProcess,
} from './terminal.spec.support.js';

describe('countersign start in a terminal', function () {
  this.timeout(120_000);

  let parentDirectory: string;
  let dataDirectory: string;
  let children: ChildProcess[];

  const start = (): TerminalProcess => {
    const server = startInTerminal(dataDirectory);
    children.push(server.child);
    return server;
  };

  before(function () {
    // The test finds remaining processes in /proc.
    if (process.platform !== 'linux') this.skip();
  });

  beforeEach(async () => {
    children = [];
    parentDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign größer als '));
    dataDirectory = join(parentDirectory, 'my data');
  });

  afterEach(async () => {
    for (const child of children)
      if (child.exitCode === null && child.signalCode === null) signalProcessGroup(child, 'SIGKILL');
    await waitUntil('all processes have ended', async () => (await findProcesses(parentDirectory)).length === 0);
    await rm(parentDirectory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  const waitUntilReady = (url: string): Promise<unknown> =>
    waitUntil('the server is ready', async () => (await fetch(`${url}/api/health/ready`)).ok);

  it('should become ready under its URL and stop all its processes on Ctrl-C', async () => {
    // given
    const { child, url, output, closed } = start();
    await waitUntilReady(await url);
    const watchdog = `watchdog ${await readPostmasterPid(dataDirectory)}`;
    const runningProcesses = (await findProcesses(dataDirectory, watchdog)).join('\n');
    expect(runningProcesses)
      .to.contain('countersign start')
      .and.contain(watchdog)
      .and.match(/postgres: .*checkpointer/);

    // when
    signalProcessGroup(child, 'SIGINT');
    await closed;

    // then
    expect(child.exitCode, output()).to.equal(0);
    expect(await findProcesses(parentDirectory, watchdog)).to.deep.equal([]);
  });

  it('should start again after kill -9', async () => {
    // given
    const first = start();
    await first.url;
    signalProcessGroup(first.child, 'SIGKILL');
    await first.closed;

    // when
    const second = start();

    // then
    await waitUntilReady(await second.url);
    signalProcessGroup(second.child, 'SIGINT');
    await second.closed;
    expect(second.child.exitCode, second.output()).to.equal(0);
    expect(await findProcesses(parentDirectory)).to.deep.equal([]);
  });
});
