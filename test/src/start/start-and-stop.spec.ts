import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../recovery/until.spec.support.js';

const COMMAND = fileURLToPath(new URL('../../../node_modules/.bin/countersign', import.meta.url));

/** As a terminal runs it: a process group of its own, which Ctrl-C goes to as a whole. */
function startInTerminal(dataDirectory: string): { child: ChildProcess; url: Promise<string>; output(): string; closed: Promise<unknown> } {
  const { NODE_ENV: _, ...env } = process.env;
  const child = spawn(process.execPath, [COMMAND, 'start', '--development', '--port', '0', '--data', dataDirectory], { cwd: tmpdir(), env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  const url = until('the server says where it runs', async () => {
    if (child.exitCode !== null) throw new Error(output);
    return /runs on (\S+)[\s\S]*Ctrl-C stops it/.exec(output)?.[1];
  }, 60_000);
  return { child, url, output: () => output, closed };
}

/** Running processes that were told of something (of a directory, a process) or work there, as PostgreSQL's do. */
async function processesOf(...things: readonly string[]): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    ids.map(async (id) => {
      const [command, cwd] = await Promise.all([readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''), readlink(`/proc/${id}/cwd`).catch(() => '')]);
      return `${id} in ${cwd}: ${command.replaceAll('\0', ' ')}`;
    }),
  );
  return lines.filter((line) => things.some((thing) => line.includes(thing)));
}

describe('countersign start, in a terminal', function () {
  this.timeout(120_000);

  let parent: string;
  let dataDirectory: string;
  let started: ChildProcess[];

  const start = (): ReturnType<typeof startInTerminal> => {
    const server = startInTerminal(dataDirectory);
    started.push(server.child);
    return server;
  };
  const interrupt = (child: ChildProcess, signal: NodeJS.Signals): void => void process.kill(-(child.pid ?? 0), signal);

  before(function () {
    // What is left behind is looked up in /proc.
    if (process.platform !== 'linux') this.skip();
  });

  beforeEach(async () => {
    started = [];
    parent = await mkdtemp(join(await realpath(tmpdir()), 'countersign größer als '));
    dataDirectory = join(parent, 'my data');
  });

  afterEach(async () => {
    for (const child of started) if (child.exitCode === null && child.signalCode === null) interrupt(child, 'SIGKILL');
    await until('nothing runs any more', async () => (await processesOf(parent)).length === 0);
    await rm(parent, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  it('should be ready under its URL, and take everything along that it started when Ctrl-C is pressed', async () => {
    // given
    const { child, url, output, closed } = start();
    const ready = await fetch(`${await url}/api/health/ready`);
    expect(ready.status).to.equal(200);
    const postmaster = (await readFile(join(dataDirectory, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0] ?? '';
    const watchdog = `watchdog ${postmaster}`;
    const running = (await processesOf(dataDirectory, watchdog)).join('\n');
    expect(running).to.contain('countersign start').and.contain(watchdog).and.match(/postgres: .*checkpointer/);

    // when
    interrupt(child, 'SIGINT');
    await closed;

    // then
    expect(child.exitCode, output()).to.equal(0);
    expect(await processesOf(parent, watchdog)).to.deep.equal([]);
  });

  it('should start again on what kill -9 left behind', async () => {
    // given
    const first = start();
    await first.url;
    interrupt(first.child, 'SIGKILL');
    await first.closed;

    // when
    const second = start();

    // then
    expect((await fetch(`${await second.url}/api/health/ready`)).status).to.equal(200);
    interrupt(second.child, 'SIGINT');
    await second.closed;
    expect(second.child.exitCode, second.output()).to.equal(0);
    expect(await processesOf(parent)).to.deep.equal([]);
  });
});
