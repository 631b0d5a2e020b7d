import { createMigratedTestDatabase, until } from '@countersign/testing';
import { openPostgresStorage } from '@countersign/storage-postgres';
import { expect } from 'chai';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { permissivePolicies } from '../../agents/permissive-policies.spec.support.js';
import { peopleOf } from '../drive-workload.spec.support.js';
import { FAILPOINTS, type Failpoint } from '../failpoints.js';
import { packedServer } from '../packed-server.spec.support.js';
import { RestartingServer } from '../restarting-server.spec.support.js';
import type { Surroundings, Workload } from '../workload.spec.support.js';

export type Visits = Partial<Record<Failpoint, number>>;

/** Polls for jobs and messages occur at any time, often without a result: killing at one visit of each suffices. */
const ANY_VISIT: ReadonlySet<Failpoint> = new Set<Failpoint>([
  'before:claimJobs',
  'before:claimOutgoing',
  'after:claimOutgoing',
  'before:markChannelIdle',
  'after:markChannelIdle',
]);

/** A server that can be killed at its failpoints, with everything that workloads need. */
export interface KillableServer {
  /** Executes a workload and returns its outcome and the visited failpoints. */
  undisturbed(workload: Workload): Promise<{ readonly visits: Visits; readonly happened: unknown }>;
  /** Executes a workload again and kills the server at a visit of a failpoint, which occurs always or sometimes. */
  killedAt(failpoint: Failpoint, visit: number, workload: Workload, comes: 'surely' | 'perhaps'): Promise<unknown>;
  close(): Promise<void>;
}

export async function startKillableServer(): Promise<KillableServer> {
  const dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-recovery-'));
  const { connectionString, drop } = await createMigratedTestDatabase();
  const configuration = await permissivePolicies(dataDirectory);
  const server = new RestartingServer({
    dataDirectory,
    connectionString,
    effects: connectionString,
    configuration,
    main: await packedServer(),
  });
  await server.serving;
  const { storage, close } = await openPostgresStorage({ connectionString, poolSize: 2 });
  const surroundings: Surroundings = { server, people: await peopleOf(server), storage, connectionString };

  async function allAnswered(): Promise<Visits | false> {
    const visits = await server.visits();
    const writes = ['deleteDelivered', 'advanceStartTimer', 'markChannelIdle'] as const;
    return writes.every((write) => visits[`before:${write}`] === visits[`after:${write}`]) && visits;
  }

  return {
    undisturbed: async (workload) => {
      await server.arm(null);
      const happened = await workload(surroundings, 'undisturbed');
      return { visits: await until('every write has its answer', allAnswered), happened };
    },
    killedAt: async (failpoint, visit, workload, comes) => {
      const at = `${failpoint} #${visit}`;
      const { kills } = server;
      await server.arm(failpoint, visit);
      const happened = await workload(surroundings, at).catch((error: unknown) => {
        throw new Error(`Killed at ${at}: ${String(error)}`, { cause: error });
      });
      if (comes === 'surely') await until(`killed at ${at}`, async () => server.kills === kills + 1);
      else await server.arm(null);
      return happened;
    },
    close: async () => {
      await server.stop();
      await close();
      await drop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Tests one workload with a kill at each of its commits. Each has its own spec file, so that they run in parallel. */
export function describeKills(name: string, workload: Workload): void {
  describe(`recovery from SIGKILL at every commit: ${name}`, function () {
    this.timeout(1_800_000);

    let server: KillableServer;

    before(async () => {
      server = await startKillableServer();
    });

    after(() => server.close());

    it('should complete every run, apply every effect once and lose no vote at every failpoint', async () => {
      const { visits, happened } = await server.undisturbed(workload);
      for (const failpoint of FAILPOINTS) {
        const count = Math.min(visits[failpoint] ?? 0, ANY_VISIT.has(failpoint) ? 1 : Number.POSITIVE_INFINITY);
        // A command that loses a race is retried: its failpoint is visited without a commit, and not in every run.
        const committed = visits[failpoint.replace(/^before:/, 'after:') as Failpoint] ?? 0;
        for (let visit = 1; visit <= count; visit += 1) {
          // when
          const again = await server.killedAt(
            failpoint,
            visit,
            workload,
            visit <= committed || ANY_VISIT.has(failpoint) ? 'surely' : 'perhaps',
          );

          // then
          expect(again, `killed at ${failpoint} #${visit}`).to.deep.equal(happened);
        }
      }
    });
  });
}
