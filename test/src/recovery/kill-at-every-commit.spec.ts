import { createTestDatabase, type TestDatabase } from '@countersign/testing';
import { openPostgresStorage } from '@countersign/storage-postgres';
import type { StoragePort } from '@countersign/core';
import { expect } from 'chai';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkEffects } from './check-effects.spec.support.js';
import { outlineOf, verifiedAudit, verifiedEvents } from './check-history.spec.support.js';
import { driveWorkload, peopleOf, type Acknowledged, type People } from './drive-workload.spec.support.js';
import { FAILPOINTS, type Failpoint } from './failpoints.js';
import { RestartingServer } from './restarting-server.spec.support.js';

describe('recovery from SIGKILL at every commit', function () {
  this.timeout(240_000);

  let dataDirectory: string;
  let database: TestDatabase;
  let opened: Awaited<ReturnType<typeof openPostgresStorage>>;
  let storage: StoragePort;
  let server: RestartingServer;
  let people: People;
  /** Of the undisturbed workload. */
  let visits: Partial<Record<Failpoint, number>>;
  let outline: string[];

  before(async () => {
    dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-recovery-'));
    database = await createTestDatabase();
    const { connectionString } = database;
    server = new RestartingServer({ dataDirectory, connectionString, effects: connectionString });
    await server.serving;
    opened = await openPostgresStorage({ connectionString, poolSize: 2 });
    storage = opened.storage;
    people = await peopleOf(server);
    await server.arm(null);
    const done = await driveWorkload(server, people, 'undisturbed');
    visits = await server.visits();
    outline = outlineOf(await storage.listRunEvents(done.runId, 0, 10_000));
    await checkOutcome(done);
  });

  after(async () => {
    await server.stop();
    await opened.close();
    await database.drop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  async function checkOutcome({ runId, cancelledRunId, approvalId }: Acknowledged): Promise<void> {
    const events = await verifiedEvents(storage, runId);
    await verifiedAudit(storage, runId);
    await verifiedEvents(storage, cancelledRunId);
    await verifiedAudit(storage, cancelledRunId);
    await verifiedAudit(storage, null);
    expect(outlineOf(events)).to.deep.equal(outline);
    expect((await storage.findRun(runId))?.run).to.include({ outcome: 'completed', status: 'completed' });
    expect((await storage.findRun(cancelledRunId))?.run).to.include({ outcome: 'cancelled' });
    const approval = await storage.findApproval(approvalId);
    expect(approval).to.include({ status: 'approved' });
    expect(approval?.votes.map(({ by, decision }) => `${by} ${decision}`)).to.deep.equal(['bea approve', 'cem approve']);
    await checkEffects(database.connectionString, runId, ['finish', 'prepare', 'publish']);
  }

  it('should visit every failpoint that the code has', () => {
    expect(Object.keys(visits).sort()).to.deep.equal([...FAILPOINTS].sort());
  });

  it('should complete every run, apply every effect once and lose no decision, wherever it was killed', async () => {
    for (const failpoint of FAILPOINTS) {
      // Looking for jobs in vain happens at any time: one death there is as good as another.
      const count = failpoint === 'before:claimJobs' ? 1 : (visits[failpoint] ?? 0);
      for (let visit = 1; visit <= count; visit += 1) {
        const at = `${failpoint} #${visit}`;
        // given
        const killed = server.kills;
        await server.arm(failpoint, visit);

        // when
        const done = await driveWorkload(server, people, at).catch((error: unknown) => {
          throw new Error(`Killed at ${at}: ${String(error)}`, { cause: error });
        });

        // then
        expect(server.kills, `killed at ${at}`).to.equal(killed + 1);
        await checkOutcome(done).catch((error: unknown) => {
          throw new Error(`Killed at ${at}: ${String(error)}`, { cause: error });
        });
      }
    }
  });
});
