import { startEmbeddedPostgres } from '@countersign/embedded-postgres';
import { createTestDatabase, type TestDatabase } from '@countersign/testing';
import { openPostgresStorage } from '@countersign/storage-postgres';
import { expect } from 'chai';
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkEffects } from '../recovery/check-effects.spec.support.js';
import { loadVerifiedAudit, loadVerifiedEvents } from '../recovery/check-history.spec.support.js';
import { driveWorkload, createPeople } from '../recovery/drive-workload.spec.support.js';
import { RestartingServer } from '../recovery/restarting-server.spec.support.js';

const SILENT_LOG = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

describe('recovery after SIGKILL of the server and its embedded PostgreSQL', function () {
  this.timeout(120_000);

  let dataDirectory: string;
  let outsideDatabase: TestDatabase;
  let server: RestartingServer;

  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-recovery-'));
    outsideDatabase = await createTestDatabase();
    server = new RestartingServer({ dataDirectory, effects: outsideDatabase.connectionString });
  });

  afterEach(async () => {
    await server.stop();
    await outsideDatabase.drop();
    await rm(dataDirectory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  it('should resume the run without losing an acknowledged vote or repeating an effect', async () => {
    // given
    const people = await createPeople(server);
    const serverPid = (await server.runningServer).pid;

    // when
    const { runId, approvalId } = await driveWorkload(server, people, 'killed', async () => {
      const postmaster = Number(
        (await readFile(join(dataDirectory, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0],
      );
      for (const pid of [postmaster, ...(await listChildPids(postmaster)), serverPid]) kill(pid);
    });

    // then
    expect(server.kills).to.equal(1);
    const run = await people.vera.getRun({ runId });
    expect(run).to.include({ outcome: 'completed' });
    const { votes, status } = await people.vera.getApproval({ approvalId });
    expect(votes.map(({ by }) => by)).to.deep.equal(['bea', 'cem']);
    expect(status).to.equal('approved');
    await checkEffects(outsideDatabase.connectionString, runId, ['finish', 'prepare', 'publish']);
    await server.stop();
    const postgres = await startEmbeddedPostgres({ dataDirectory: join(dataDirectory, 'postgres'), log: SILENT_LOG });
    try {
      const { storage, close } = await openPostgresStorage({
        connectionString: postgres.connectionString,
        poolSize: 2,
      });
      await loadVerifiedEvents(storage, runId);
      await loadVerifiedAudit(storage, runId);
      await loadVerifiedAudit(storage, null);
      await close();
    } finally {
      await postgres.stop();
    }
  });
});

/**
 * Returns the pids of the child processes of a postmaster. Returns none on systems without /proc; there, the processes
 * exit when the postmaster dies.
 */
async function listChildPids(parentPid: number): Promise<number[]> {
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(processes.map((name) => readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')));
  // The process name may contain any character and ends at the last parenthesis. The state and the parent pid follow.
  return stats.flatMap((stat) =>
    Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]) === parentPid ? [Number.parseInt(stat, 10)] : [],
  );
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
