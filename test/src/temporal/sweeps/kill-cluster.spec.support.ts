import type { Client } from '@countersign/contract';
import { EnginePort, StoragePort } from '@countersign/core';
import type { TestHost } from '@countersign/testing';
import { waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { buildOutline, loadVerifiedAudit, loadVerifiedEvents } from '../../recovery/check-history.spec.support.js';
import { addFailpoints } from '../../recovery/failpoints.js';
import { ClusterKiller, type KillPoint } from '../cluster-killer.spec.support.js';
import { createTemporalHost, waitUntilAnnounced } from '../temporal-host.spec.support.js';
import { describeOnTemporal, TemporalServer } from '../temporal-server.spec.support.js';
import { RecordingJobs, type Scenario, SCENARIOS } from './cluster-scenarios.spec.support.js';

/** Number of runs in which a call must occur that does not occur in each run, for example because two were combined. */
const MAX_RUNS = 4;

type Outage = 'short' | 'long';

interface Kill {
  readonly point: KillPoint;
  readonly visit: number;
}

/** A server, and a cluster that can be killed at each call and commit of this server. */
class KillableCluster {
  /** Points at which the cluster was killed. */
  readonly killed = new Set<KillPoint>();
  private claimFailures = 0;

  private constructor(
    private readonly server: TemporalServer,
    readonly killer: ClusterKiller,
    private readonly host: TestHost,
    private readonly viewer: Client,
    private readonly jobs: RecordingJobs,
  ) {
    addFailpoints(this.storage, async (failpoint) => {
      if (failpoint === 'before:takeJob' && this.claimFailures > 0) {
        this.claimFailures -= 1;
        throw new Error('The database is unreachable.');
      }
      await killer.visit(failpoint);
    });
  }

  /** @param outage `short`: our server repeats its requests until they succeed; `long`: they fail */
  static async start(outage: Outage): Promise<KillableCluster> {
    const server = await TemporalServer.start();
    const killer = await ClusterKiller.start(server);
    const jobs = new RecordingJobs();
    const host = await createTemporalHost(server, {
      jobTypes: [],
      plugins: [jobs.plugin],
      configuration: server.configure({ Address: killer.address }),
    });
    if (outage === 'long')
      killer.beforeRestart = () => waitUntil('requests to the cluster fail', () => hasProblem(host), 60);
    return new KillableCluster(server, killer, host, await host.client('viewer', 'vera'), jobs);
  }

  async deploy(models: readonly string[]): Promise<void> {
    for (const model of models) await this.host.deploy(model);
  }

  /** Executes a scenario, and returns how often it visited each point, and its events. */
  async runUndisturbed(scenario: Scenario) {
    this.killer.arm(null);
    const events = await this.executeAndVerify(scenario, false);
    return { visits: new Map(this.killer.visits), events };
  }

  /** Executes a scenario, kills the cluster meanwhile, and returns the events. */
  async runAndKill(scenario: Scenario, { point, visit }: Kill): Promise<string[]> {
    const isPeriodic = scenario.periodicMethods?.includes(point.split(':')[1] ?? '') ?? false;
    this.killer.arm(point, visit);
    let events: string[] = [];
    for (let run = 0; run < MAX_RUNS && this.killer.isArmed; run += 1)
      events = await this.executeAndVerify(scenario, isPeriodic).catch((error: unknown) => {
        throw new Error(`Killed at ${point} #${visit}: ${String(error)}`, { cause: error });
      });
    expect(this.killer.isArmed, `not killed at ${point} #${visit}`).to.equal(false);
    this.killed.add(point);
    return events;
  }

  async close(): Promise<void> {
    await this.host.close();
    this.killer.close();
    await this.server.close();
  }

  private get storage(): StoragePort {
    return this.host.host.get(StoragePort);
  }

  private async executeAndVerify(scenario: Scenario, awaitsKill: boolean): Promise<string[]> {
    const { host, viewer, killer, jobs, server, storage } = this;
    const failNextClaim = (): void => void (this.claimFailures += 1);
    const runIds = await scenario.drive({ host, viewer, killer, jobs, server, awaitsKill, failNextClaim });
    await waitUntilAnnounced(host);
    await waitUntil(
      'no workflow is left in the cluster',
      async () => (await server.countRunningWorkflows().catch(() => undefined)) === 0,
      60,
    );
    await killer.waitUntilRunning();
    await waitUntil('the server reaches the cluster', async () => !(await hasProblem(host)), 60);
    const outlines: string[] = [];
    for (const runId of runIds) {
      outlines.push(...buildOutline(await loadVerifiedEvents(storage, runId)));
      await loadVerifiedAudit(storage, runId);
      expect((await storage.findRun(runId))?.run).to.include({ outcome: scenario.outcome });
    }
    expect(jobs.listExecutedSteps(runIds), 'executions of jobs').to.deep.equal(scenario.executedSteps);
    return outlines;
  }
}

async function hasProblem({ host }: TestHost): Promise<boolean> {
  return (await host.get(EnginePort).status()).cluster?.problem !== null;
}

/**
 * Tests each scenario with a kill of the cluster at each of some points.
 *
 * @param outage how long the cluster is down
 * @param listKills returns the kills of a scenario
 * @param defineMore specs that follow those of the scenarios
 */
export function describeKillsOfCluster(
  title: string,
  outage: Outage,
  listKills: (scenario: Scenario, visits: ReadonlyMap<KillPoint, number>) => readonly Kill[],
  defineMore: (getCluster: () => KillableCluster) => void = () => undefined,
): void {
  describeOnTemporal(`recovery from SIGKILL of the cluster ${title}`, function () {
    this.timeout(1_800_000);
    let cluster: KillableCluster;

    before(async () => {
      cluster = await KillableCluster.start(outage);
    });

    after(() => cluster?.close());

    for (const scenario of SCENARIOS)
      it(`should lose and repeat nothing: ${scenario.title}`, async () => {
        await cluster.deploy(scenario.models);
        const { visits, events } = await cluster.runUndisturbed(scenario);
        const kills = listKills(scenario, visits);
        expect(kills, 'kills').not.to.deep.equal([]);
        for (const kill of kills) {
          // when
          const eventsAfterKill = await cluster.runAndKill(scenario, kill);

          // then
          expect(eventsAfterKill, `killed at ${kill.point} #${kill.visit}`).to.deep.equal(events);
        }
      });

    defineMore(() => cluster);
  });
}
