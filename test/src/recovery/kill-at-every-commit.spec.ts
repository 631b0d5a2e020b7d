import { createMigratedTestDatabase, type TestDatabase } from '@countersign/testing';
import { openPostgresStorage } from '@countersign/storage-postgres';
import { expect } from 'chai';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { peopleOf } from './drive-workload.spec.support.js';
import { FAILPOINTS, type Failpoint } from './failpoints.js';
import { RestartingServer } from './restarting-server.spec.support.js';
import { until } from './until.spec.support.js';
import { approvalWorkload, talkingWorkload, type Surroundings, type Workload } from './workload.spec.support.js';

type Visits = Partial<Record<Failpoint, number>>;

const WORKLOADS: readonly (readonly [string, Workload])[] = [
  ['a run that people and programs bring to its end', approvalWorkload],
  ['runs that talk to each other', talkingWorkload],
];

/** Looking for jobs and messages happens at any time, in vain or for several at once: one death there is as good as another. */
const ANY_VISIT: ReadonlySet<Failpoint> = new Set<Failpoint>([
  'before:claimJobs',
  'before:claimOutgoing',
  'after:claimOutgoing',
  'before:settleChannel',
  'after:settleChannel',
]);

describe('recovery from SIGKILL at every commit', function () {
  this.timeout(600_000);

  let dataDirectory: string;
  let database: TestDatabase;
  let opened: Awaited<ReturnType<typeof openPostgresStorage>>;
  let server: RestartingServer;
  let surroundings: Surroundings;
  /** Of the undisturbed workloads. */
  const undisturbed = new Map<Workload, { readonly visits: Visits; readonly happened: unknown }>();

  before(async () => {
    dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-recovery-'));
    database = await createMigratedTestDatabase();
    const { connectionString } = database;
    server = new RestartingServer({ dataDirectory, connectionString, effects: connectionString });
    await server.serving;
    opened = await openPostgresStorage({ connectionString, poolSize: 2 });
    surroundings = { server, people: await peopleOf(server), storage: opened.storage, connectionString };
    for (const [name, workload] of WORKLOADS) {
      await server.arm(null);
      const happened = await workload(surroundings, `${name}, undisturbed`);
      undisturbed.set(workload, { visits: await until('every write has its answer', allAnswered), happened });
    }
  });

  after(async () => {
    await server.stop();
    await opened.close();
    await database.drop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  async function allAnswered(): Promise<Visits | false> {
    const visits = await server.visits();
    const writes = ['settleOutgoing', 'advanceStartTimer', 'settleChannel'] as const;
    return writes.every((write) => visits[`before:${write}`] === visits[`after:${write}`]) && visits;
  }

  it('should visit every failpoint that the code has', () => {
    const visited = [...undisturbed.values()].flatMap(({ visits }) => Object.keys(visits));
    expect([...new Set(visited)].sort()).to.deep.equal([...FAILPOINTS].sort());
  });

  for (const [name, workload] of WORKLOADS) {
    it(`should complete every run, apply every effect once and lose no decision, wherever it was killed: ${name}`, async () => {
      const { visits = {}, happened } = undisturbed.get(workload) ?? {};
      for (const failpoint of FAILPOINTS) {
        const count = Math.min(visits[failpoint] ?? 0, ANY_VISIT.has(failpoint) ? 1 : Number.POSITIVE_INFINITY);
        for (let visit = 1; visit <= count; visit += 1) {
          const at = `${failpoint} #${visit}`;
          // given
          const killed = server.kills;
          await server.arm(failpoint, visit);

          // when
          const again = await workload(surroundings, at).catch((error: unknown) => {
            throw new Error(`Killed at ${at}: ${String(error)}`, { cause: error });
          });

          // then
          await until(`killed at ${at}`, async () => server.kills === killed + 1);
          expect(again, `killed at ${at}`).to.deep.equal(happened);
        }
      }
    });
  }
});
