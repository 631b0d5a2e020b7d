import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  readFirstLine,
  killProcess,
  query,
  createRecordingLog,
  spawnServer,
  startServerProcess,
  createTemporaryDirectories,
  waitForProcessExit,
} from './embedded.spec.support.js';
import { pollUntil } from './poll.js';
import { isAlive, isPidInUse } from './process-identity.js';
import { findInaccessibleDirectory } from './directory-permissions.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './start-embedded-postgres.js';
import { choosePostgresUser } from './unprivileged-user.js';

describe('recovery of the embedded PostgreSQL', function () {
  this.timeout(60_000);

  before(function () {
    if (process.platform !== 'linux') this.skip(); // reads /proc
  });

  const directories = createTemporaryDirectories();
  let running: EmbeddedPostgres | undefined;

  async function startPostgres(dataDirectory: string) {
    const log = createRecordingLog();
    running = await startEmbeddedPostgres({ dataDirectory, log });
    return { connectionString: running.connectionString, log };
  }

  afterEach(async () => {
    await running?.stop();
    running = undefined;
    await directories.removeAll();
  });

  it('should stop PostgreSQL when the owner process is killed', async () => {
    // given
    const server = await startServerProcess(await directories.make());

    // when
    await killProcess(server.child);

    // then
    await waitForProcessExit(server.postmasterPid);
  });

  it('should start after the owner process was killed, with all committed data', async () => {
    // given
    const dataDirectory = await directories.make();
    const server = await startServerProcess(dataDirectory);
    await query(server.connectionString, 'CREATE TABLE kept AS SELECT 1 AS one');
    await killProcess(server.child);

    // when
    const { connectionString } = await startPostgres(dataDirectory);

    // then
    expect(await query(connectionString, 'SELECT one FROM kept')).to.deep.equal([{ one: 1 }]);
  });

  it('should stop the leftover server if both the owner process and the watchdog were killed', async () => {
    // given
    const dataDirectory = await directories.make();
    const server = await startServerProcess(dataDirectory);
    await query(server.connectionString, 'CREATE TABLE kept AS SELECT 1 AS one');
    process.kill(await findWatchdog(server.postmasterPid), 'SIGKILL');
    await killProcess(server.child);
    expect(await isAlive(server.postmasterPid)).to.equal(true);

    // when
    const { connectionString, log } = await startPostgres(dataDirectory);

    // then
    expect(await isAlive(server.postmasterPid)).to.equal(false);
    expect(log.lines.map(({ level }) => level)).to.include('warn');
    expect(await query(connectionString, 'SELECT one FROM kept')).to.deep.equal([{ one: 1 }]);
  });

  it('should recover after PostgreSQL was killed during a statement', async () => {
    // given
    const dataDirectory = await directories.make();
    const server = await startServerProcess(dataDirectory);
    await query(server.connectionString, 'CREATE TABLE kept AS SELECT 1 AS one');
    const interruptedQuery = query(server.connectionString, 'SELECT count(*) FROM generate_series(1, 1e9)').catch(
      () => undefined,
    );
    process.kill(server.postmasterPid, 'SIGKILL');
    await waitForProcessExit(server.postmasterPid);
    await killProcess(server.child);

    // when
    const { connectionString } = await startPostgres(dataDirectory);

    // then
    await interruptedQuery;
    expect(await query(connectionString, 'SELECT one FROM kept')).to.deep.equal([{ one: 1 }]);
  });

  for (const signal of ['SIGQUIT', 'SIGKILL'] as const)
    it(`should restart PostgreSQL on the same port when it ends unexpectedly (${signal})`, async () => {
      // given
      const dataDirectory = await directories.make();
      const { log, connectionString } = await startPostgres(dataDirectory);
      await query(connectionString, 'CREATE TABLE kept AS SELECT 1 AS one');
      const [pid = ''] = (await readFile(join(dataDirectory, 'cluster', 'postmaster.pid'), 'utf8')).split('\n');

      // when
      process.kill(Number(pid), signal);

      // then
      const rows = await pollUntil(60_000, 100, () =>
        query(connectionString, 'SELECT one FROM kept').catch(() => undefined),
      );
      expect(rows).to.eql([{ one: 1 }]);
      const restartLogLine = await pollUntil(20_000, 20, () =>
        Promise.resolve(log.lines.find(({ message }) => message === 'PostgreSQL is running again')),
      );
      expect(restartLogLine, 'the restart is logged').to.be.an('object');
      expect(log.lines.map(({ message }) => message)).to.include(
        'restarting PostgreSQL, because it exited unexpectedly; see its log file for the reason',
      );
    });

  it('should not mistake another process with the process id of an earlier server for its server', async () => {
    // given
    const dataDirectory = await directories.make();
    await startPostgres(dataDirectory);
    await running?.stop();
    const pidFile = join(dataDirectory, 'cluster', 'postmaster.pid');
    // PostgreSQL itself ignores only the process ids of its parents, so the file contains the id of another live
    // process.
    const otherServer = spawnServer(await directories.make());
    await readFirstLine(otherServer);
    await writeFile(
      pidFile,
      `${otherServer.pid}\n${join(dataDirectory, 'cluster')}\n1700000000\n5432\n\n127.0.0.1\n0 0\nready   \n`,
    );

    // when
    await startPostgres(dataDirectory);

    // then
    expect(await isAlive(otherServer.pid!), 'the other process was not stopped').to.equal(true);
    expect(await readFile(pidFile, 'utf8')).not.to.match(new RegExp(`^${otherServer.pid}\n`));
    await killProcess(otherServer);
  });

  it('should start even if the killed server is still a zombie process', async () => {
    // given
    const dataDirectory = await directories.make();
    await startPostgres(dataDirectory);
    await running?.stop();
    // A shell would wait for its child, but the program that replaces it does not. So kill the child after `exec`.
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 601'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const zombiePid = Number(await readFirstLine(parent));
    await pollUntil(10_000, 5, async () =>
      (await readFile(`/proc/${parent.pid}/comm`, 'utf8')) === 'sleep\n' ? true : undefined,
    );
    process.kill(zombiePid, 'SIGKILL');
    await waitForProcessExit(zombiePid);
    expect(isPidInUse(zombiePid)).to.equal(true);
    await writeFile(
      join(dataDirectory, 'cluster', 'postmaster.pid'),
      `${zombiePid}\n${join(dataDirectory, 'cluster')}\n1700000000\n5432\n\n127.0.0.1\n0 0\nready   \n`,
    );

    // when
    const { connectionString } = await startPostgres(dataDirectory);

    // then
    expect(await query(connectionString, 'SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
    await killProcess(parent);
  });

  it('should repeat a set-up that was killed before it finished', async () => {
    // given
    const dataDirectory = await directories.make();
    const server = spawnServer(dataDirectory);
    const unfinishedCluster = await pollUntil(20_000, 5, async () => {
      const unfinished = (await readdir(dataDirectory)).find((name) => name.startsWith('cluster-unfinished-'));
      if (unfinished === undefined) return undefined;
      const cluster = await readdir(join(dataDirectory, unfinished, 'cluster')).catch((): string[] => []);
      return cluster.includes('base') ? unfinished : undefined;
    });
    expect(unfinishedCluster).to.be.a('string');
    await killProcess(server);
    expect(await readdir(dataDirectory)).not.to.include('cluster');

    // when
    const { connectionString } = await startPostgres(dataDirectory);

    // then
    expect(await query(connectionString, 'SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
    expect((await readdir(dataDirectory)).filter((name) => name.startsWith('cluster-unfinished-'))).to.deep.equal([]);
  });

  it('should refuse a data directory in use and name the owner process', async () => {
    // given
    const dataDirectory = await directories.make();
    const server = await startServerProcess(dataDirectory);

    // when
    const error = await startPostgres(dataDirectory).catch((failure: unknown) => failure);

    // then
    expect(error).to.include({ code: 'embedded_postgres_in_use' });
    expect(error).to.have.property('message').that.includes(`process ${server.pid}`);
    expect(await query(server.connectionString, 'SELECT 1 AS one'), 'the owner is still running').to.deep.equal([
      { one: 1 },
    ]);
    await killProcess(server.child);
  });

  it('should keep running after Ctrl-C until the owner process has drained', async () => {
    // given
    const server = await startServerProcess(await directories.make());

    // when
    process.kill(-server.pid, 'SIGINT'); // to the whole process group, as a terminal does

    // then
    expect(await query(server.connectionString, 'SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
    const exit = once(server.child, 'exit');
    server.child.stdin?.write('drained\n');
    expect(await exit).to.deep.equal([0, null]);
    expect(await isAlive(server.postmasterPid)).to.equal(false);
  });

  it('should run as an unprivileged user', async function () {
    // given
    const user = await choosePostgresUser('/nonexistent', createRecordingLog());
    if (user === undefined) return this.skip(); // already unprivileged: all other tests cover it
    // The unprivileged user must be able to read this file and Node.js.
    const inaccessibleDirectory =
      (await findInaccessibleDirectory(import.meta.dirname, user)) ??
      (await findInaccessibleDirectory(dirname(process.execPath), user));
    if (inaccessibleDirectory !== undefined) return this.skip();
    const parent = await directories.make();
    await chmod(parent, 0o777);

    // when
    const server = await startServerProcess(join(parent, 'data'), { uid: user.uid, gid: user.gid });

    // then
    expect(await query(server.connectionString, 'SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
    await killProcess(server.child);
    await waitForProcessExit(server.postmasterPid);
  });
});

async function findWatchdog(postmasterPid: number): Promise<number> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.split('\0').slice(-3, -1).join(' ') === `countersign-postgres-watchdog ${postmasterPid}`)
      return Number(pid);
  }
  throw new Error('no watchdog process found');
}
