import { createMigratedTestDatabase, waitUntil } from '@countersign/testing';
import { openPostgresStorage } from '@countersign/storage-postgres';
import type { JsonObject } from '@countersign/core';
import { expect } from 'chai';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePermissivePolicies } from '../../agents/permissive-policies.spec.support.js';
import { createPeople } from '../drive-workload.spec.support.js';
import { FAILPOINTS, type Failpoint } from '../failpoints.js';
import { getBundledServer } from '../bundled-server.spec.support.js';
import { RestartingServer } from '../restarting-server.spec.support.js';
import type { WorkloadEnvironment, Workload } from '../workload.spec.support.js';

export type Visits = Partial<Record<Failpoint, number>>;

/**
 * Failpoints of polls for jobs and messages. Polls occur at any time, often without a result, so that one kill at each
 * failpoint suffices.
 */
const SINGLE_VISIT_FAILPOINTS: ReadonlySet<Failpoint> = new Set<Failpoint>([
  'before:claimJobs',
  'before:claimOutgoing',
  'after:claimOutgoing',
  'before:markChannelIdle',
  'after:markChannelIdle',
]);

/** Failpoints of writes for several runs, whose number depends on how many runs each of them combines. */
const COMBINED_FAILPOINTS: ReadonlySet<Failpoint> = new Set<Failpoint>([
  'before:deleteAnnouncements',
  'after:deleteAnnouncements',
]);

/** A server that can be killed at its failpoints, with everything that workloads need. */
export interface KillableServer {
  /** Executes a workload and returns its outcome and the visited failpoints. */
  runUndisturbed(workload: Workload): Promise<{ readonly visits: Visits; readonly outcome: unknown }>;
  /**
   * Executes a workload again and kills the server at a visit of a failpoint. `likelihood` states whether the visit
   * occurs in every execution.
   */
  runAndKillAt(
    failpoint: Failpoint,
    visit: number,
    workload: Workload,
    likelihood: 'surely' | 'perhaps',
  ): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Starts a server that can be killed.
 *
 * @param engine configuration of another engine than the embedded one
 */
export async function startKillableServer(engine?: JsonObject): Promise<KillableServer> {
  const dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-recovery-'));
  const { connectionString, drop } = await createMigratedTestDatabase();
  const configuration = { ...(await writePermissivePolicies(dataDirectory)), ...engine };
  const server = new RestartingServer({
    dataDirectory,
    connectionString,
    effects: connectionString,
    configuration,
    // The plugin of another engine would not share the code of a bundle.
    ...(engine === undefined ? { main: await getBundledServer() } : {}),
  });
  await server.runningServer;
  const { storage, close } = await openPostgresStorage({ connectionString, poolSize: 2 });
  const environment: WorkloadEnvironment = { server, people: await createPeople(server), storage, connectionString };

  async function findCompleteVisits(): Promise<Visits | false> {
    const visits = await server.visits();
    const writeNames = ['deleteDelivered', 'advanceStartTimer', 'markChannelIdle'] as const;
    return writeNames.every((write) => visits[`before:${write}`] === visits[`after:${write}`]) && visits;
  }

  return {
    runUndisturbed: async (workload) => {
      await server.armFailpoint(null);
      const workloadOutcome = await workload(environment, 'undisturbed');
      return {
        visits: await waitUntil('every started write has completed', findCompleteVisits),
        outcome: workloadOutcome,
      };
    },
    runAndKillAt: async (failpoint, visit, workload, likelihood) => {
      const killPosition = `${failpoint} #${visit}`;
      const { kills } = server;
      await server.armFailpoint(failpoint, visit);
      const workloadOutcome = await workload(environment, killPosition).catch((error: unknown) => {
        throw new Error(`Killed at ${killPosition}: ${String(error)}`, { cause: error });
      });
      if (likelihood === 'surely') await waitUntil(`killed at ${killPosition}`, async () => server.kills === kills + 1);
      else await server.armFailpoint(null);
      return workloadOutcome;
    },
    close: async () => {
      await server.stop();
      await close();
      await drop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

export interface KillOptions {
  /** Starts what another engine needs, and returns its configuration. */
  readonly startEngine?: () => Promise<JsonObject>;
  readonly failpoints?: readonly Failpoint[];
}

/**
 * Tests one workload with a kill at each of its commits. Each workload has its own spec file, so that the workloads run
 * in parallel.
 */
export function describeKills(
  name: string,
  workload: Workload,
  { startEngine, failpoints = FAILPOINTS }: KillOptions = {},
): void {
  describe(`recovery from SIGKILL at every commit: ${name}`, function () {
    this.timeout(1_800_000);

    let server: KillableServer;

    before(async () => {
      server = await startKillableServer(await startEngine?.());
    });

    after(() => server.close());

    it('should complete every run, apply every effect once and lose no vote at every failpoint', async () => {
      const { visits, outcome } = await server.runUndisturbed(workload);
      for (const failpoint of failpoints) {
        const count = Math.min(
          visits[failpoint] ?? 0,
          SINGLE_VISIT_FAILPOINTS.has(failpoint) ? 1 : Number.POSITIVE_INFINITY,
        );
        // A command that loses a race is retried: its failpoint is visited without a commit, and not in every run.
        const committedCount = visits[failpoint.replace(/^before:/, 'after:') as Failpoint] ?? 0;
        const sureCount =
          SINGLE_VISIT_FAILPOINTS.has(failpoint) || COMBINED_FAILPOINTS.has(failpoint) ? 1 : committedCount;
        for (let visit = 1; visit <= count; visit += 1) {
          // when
          const outcomeAfterKill = await server.runAndKillAt(
            failpoint,
            visit,
            workload,
            visit <= sureCount ? 'surely' : 'perhaps',
          );

          // then
          expect(outcomeAfterKill, `killed at ${failpoint} #${visit}`).to.deep.equal(outcome);
        }
      }
    });
  });
}
