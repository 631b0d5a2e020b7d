import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '@countersign/core';
import type { Benchmark } from '../benchmark.js';
import { openBareTemporal } from '../engines/bare-temporal.js';
import { type CountersignDriver, openCountersign, type WaitingRun } from '../engines/countersign-engine.js';
import type { EngineDriver, RunTimes } from '../engines/engine-driver.js';
import { buildEnginesReport, type EngineRound, type EngineRounds } from '../engines/engines-report.js';
import { findTemporal } from '../engines/temporal-sdk.js';
import { TemporalServer } from '../engines/temporal-server.js';
import { interleave } from '../measure/interleave.js';
import { Meter, readOwnCpuTime } from '../measure/meter.js';
import { formatNumber } from '../measure/table.js';
import { withTimeout } from '../measure/with-timeout.js';
import { ServerProcess } from '../servers/server-process.js';
import type { WorkloadRequest } from '../servers/workload-requests.js';
import { IN_FLIGHT } from '../workload/limits.js';
import { runConcurrently } from '../workload/run-concurrently.js';

const RUNS = 400;
/** The embedded engine executes so many times more runs, because it would otherwise be done in a moment. */
const EMBEDDED_FACTOR = 10;
/** Share of the runs that is also executed one at a time. */
const SINGLE_SHARE = 0.25;
/** Number of runs that a server starts before it is killed. */
const RUNS_BEFORE_CRASH = 20;
const WORKERS_START_MS = 3_000;
const WAITING_TIMEOUT_MS = 60_000;

/** The approval workload on both engines, compared with the same workload in Temporal's own SDK. */
export const engines: Benchmark = {
  name: 'engines',
  database: true,
  async run({ postgres, runs = RUNS, repetitions, progress }) {
    const temporal = await findTemporal();
    const server = await TemporalServer.start(temporal, postgres.connectionString);
    const meter = await Meter.open(postgres.connectionString);
    const drivers: EngineDriver[] = [];
    const open = async <T extends EngineDriver>(opening: Promise<T>): Promise<T> => {
      const driver = await opening;
      drivers.push(driver);
      return driver;
    };
    try {
      const embedded = await open(openCountersign(await postgres.createDatabase(), {}));
      const database = await postgres.createDatabase();
      const onTemporal = await open(
        openCountersign(database, {
          engine: temporal.plugin,
          configuration: server.configuration,
        }),
      );
      const bare = await open(openBareTemporal(temporal, server));

      const measureRound = async (engine: EngineDriver, count: number): Promise<EngineRound> => {
        const concurrent: RunTimes[] = [];
        const single: RunTimes[] = [];
        const executeRuns = async (): Promise<void> => {
          await runConcurrently(count, IN_FLIGHT, async (index) => concurrent.push(await engine.completeRun(index)));
          // The cluster still ends the workflows of completed runs.
          await server.waitUntilIdle();
        };
        const sample = await meter.measure(count, executeRuns, { node: readOwnCpuTime, cluster: server.readCpuTime });
        const singleCount = Math.max(1, Math.round(runs * SINGLE_SHARE));
        await runConcurrently(singleCount, 1, async (index) => single.push(await engine.completeRun(index)));
        await server.waitUntilIdle();
        return { sample, concurrent, single };
      };
      const phases = (
        [
          ['embedded', embedded, runs * EMBEDDED_FACTOR],
          ['Temporal', onTemporal, runs],
          ['bare Temporal', bare, runs],
        ] as const
      ).map(([name, engine, count]) => ({ name, run: () => measureRound(engine, count) }));

      progress('warming up');
      for (const { run } of phases) await run();
      const rounds = (await interleave(phases, repetitions, (phase, { sample }) =>
        progress(`${phase}: ${formatNumber(sample.runsPerSecond, 1)} runs/s`),
      )) as EngineRounds;

      progress('votes while the cluster is down');
      const waiting = await onTemporal.startWaitingRuns(runs);
      await server.kill();
      const votesWithoutCluster = await waiting.vote();
      await server.ensureRunning();
      await waiting.waitForCompletion();

      progress('votes after a server was killed');
      const nextJobsAfterCrash = await measureCrash(onTemporal, database, server.configuration, repetitions);
      return buildEnginesReport({ rounds, votesWithoutCluster, nextJobsAfterCrash, runs, repetitions });
    } finally {
      for (const driver of drivers.reverse()) await driver.close();
      await meter.close();
      await server.close();
    }
  },
};

/**
 * Kills a second server as soon as the runs that it has started wait for their approval, and votes on them.
 *
 * @returns the times from the votes until the next jobs, in ms
 */
async function measureCrash(
  engine: CountersignDriver,
  connectionString: string,
  temporal: JsonObject,
  repetitions: number,
): Promise<number[]> {
  const times: number[] = [];
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const server = new ServerProcess<WorkloadRequest>(new URL('../servers/workload-process.js', import.meta.url));
    let runs: readonly WaitingRun[];
    try {
      await server.send({ type: 'open', connectionString, temporal });
      // Its workers connect in the background, and get about half of the workflows.
      await delay(WORKERS_START_MS);
      await server.send({ type: 'start', runs: RUNS_BEFORE_CRASH });
      const waiting = engine.findWaitingRuns(RUNS_BEFORE_CRASH);
      runs = await withTimeout(WAITING_TIMEOUT_MS, 'The runs of the second server do not progress.', waiting);
    } finally {
      server.kill();
    }
    const completed = await Promise.all(runs.map((run, index) => engine.voteAndComplete(run, index)));
    times.push(...completed.map(({ nextJobMs }) => nextJobMs));
  }
  return times;
}
