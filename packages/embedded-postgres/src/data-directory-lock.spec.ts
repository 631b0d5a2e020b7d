import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockDataDirectory, type DataDirectoryLock } from './data-directory-lock.js';
import { createRecordingLog, createTemporaryDirectories } from './embedded.spec.support.js';
import { describeCurrentProcess, type LockOwner } from './lock-owner.js';

const SHORT_HEARTBEAT_TIMEOUT_MS = 600;

describe('lockDataDirectory', () => {
  const directories = createTemporaryDirectories();
  const acquiredLocks: DataDirectoryLock[] = [];
  let directory: string;

  beforeEach(async () => {
    directory = await directories.make();
  });

  afterEach(async () => {
    for (const lock of acquiredLocks.splice(0)) await lock.release();
    await directories.removeAll();
  });

  async function lock(): Promise<DataDirectoryLock> {
    const acquiredLock = await lockDataDirectory(directory, createRecordingLog(), SHORT_HEARTBEAT_TIMEOUT_MS);
    acquiredLocks.push(acquiredLock);
    return acquiredLock;
  }

  async function writeLockFile(owner: Partial<LockOwner>): Promise<string> {
    const path = join(directory, 'owner-7.lock');
    await writeFile(path, JSON.stringify({ ...(await describeCurrentProcess()), ...owner }));
    return path;
  }

  async function tryLock(): Promise<unknown> {
    return lock().then(
      () => 'acquired',
      (error: { code: unknown }) => error.code,
    );
  }

  it('should grant the lock to only one of many concurrent callers', async () => {
    // when
    const outcomes = await Promise.all(Array.from({ length: 20 }, tryLock));

    // then
    expect(outcomes.filter((outcome) => outcome === 'acquired')).to.have.length(1);
    expect(outcomes.filter((outcome) => outcome === 'embedded_postgres_in_use')).to.have.length(19);
  });

  it('should let only one of many callers take over from a dead owner', async () => {
    // given
    await writeLockFile({ pid: await spawnExitedProcess() });

    // when
    const outcomes = await Promise.all(Array.from({ length: 20 }, tryLock));

    // then
    expect(outcomes.filter((outcome) => outcome === 'acquired')).to.have.length(1);
    expect(await readdir(directory)).to.deep.equal(['owner-8.lock']);
  });

  it('should grant the lock again after a release', async () => {
    // given
    await (await lock()).release();

    // then
    expect(await tryLock()).to.equal('acquired');
  });

  it('should take over from a dead owner if another process has its process id', async function () {
    const { startTime } = await describeCurrentProcess();
    if (startTime === undefined) return this.skip(); // the system does not report it

    // given
    await writeLockFile({ startTime: `not ${startTime}` });

    // then
    expect(await tryLock()).to.equal('acquired');
  });

  it('should name the process that holds the lock', async () => {
    // given
    await lock();

    // then
    expect(await lock().catch((error: Error) => error.message)).to.include(`process ${process.pid} `);
  });

  it('should take over from an owner in another container that stopped renewing the lock', async () => {
    // given
    await writeLockFile({ host: 'elsewhere', boot: 'another', pidNamespace: 'pid:[1]' });

    // then
    expect(await tryLock()).to.equal('acquired');
  });

  it('should refuse to take over from an owner in another container that keeps renewing the lock', async () => {
    // given
    const path = await writeLockFile({ host: 'elsewhere', boot: 'another', pidNamespace: 'pid:[1]' });
    // eslint-disable-next-line no-restricted-syntax -- the system clock measures the age of the lock
    const heartbeat = setInterval(() => void utimes(path, new Date(), new Date()), 50);

    // when
    const outcome = await tryLock();

    // then
    clearInterval(heartbeat);
    expect(outcome).to.equal('embedded_postgres_in_use');
  });

  it('should take over immediately after a restart of the machine', async function () {
    const { boot, pidNamespace } = await describeCurrentProcess();
    if (boot === undefined || pidNamespace !== 'pid:[4026531836]') return this.skip(); // Linux outside containers only

    // given
    await writeLockFile({ boot: 'an earlier boot' });
    const log = createRecordingLog();

    // when
    acquiredLocks.push(await lockDataDirectory(directory, log, 60_000));

    // then
    expect(log.lines, 'it does not wait for a heartbeat').to.deep.equal([]);
  });

  it('should ignore a damaged lock file', async () => {
    // given
    await writeFile(join(directory, 'owner-3.lock'), '');

    // then
    expect(await tryLock()).to.equal('acquired');
  });
});

async function spawnExitedProcess(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid!;
}
