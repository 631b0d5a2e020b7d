import pg from 'pg';
import type { Benchmark } from '../benchmark.js';
import { interleave } from '../measure/interleave.js';
import { median, quantile } from '../measure/statistics.js';
import { formatNumber } from '../measure/table.js';
import { openEngine, type EngineUnderTest } from '../workload/engine-under-test.js';

const STARTS = 300;
const WARM_UP_RUNS = 500;
/** Commands for the locked run that are in progress at any time. */
const CONCURRENT_COMMANDS = 3;

/** Statements that lock a row of a run. $1 is the run id. */
const LOCK_STATEMENTS = {
  'one run locked': 'SELECT FROM runs WHERE run_id = $1 FOR UPDATE',
  'its approval locked': 'SELECT FROM approvals WHERE run_id = $1 FOR UPDATE',
};

/** Time to start runs, one after the other, while a row of another run is locked and commands are sent to that run. */
export const lockedRun: Benchmark = {
  name: 'locked-run',
  database: true,
  async run({ postgres, runs: starts = STARTS, repetitions, progress }) {
    const database = await postgres.createDatabase();
    const engine = await openEngine(database);
    const locker = new pg.Client(database);
    await locker.connect();
    try {
      progress('warming up');
      await engine.completeRuns(WARM_UP_RUNS);
      const samples = await interleave(
        [
          { name: 'nothing locked', run: () => measureStarts(engine, starts) },
          ...Object.entries(LOCK_STATEMENTS).map(([name, lock]) => ({
            name,
            run: () => withLock(engine, locker, lock, () => measureStarts(engine, starts)),
          })),
        ],
        repetitions,
        (phase, times) =>
          progress(
            `${phase}: p50 ${formatNumber(median(times), 1)} ms, p99 ${formatNumber(quantile(times, 0.99), 1)} ms`,
          ),
      );
      const all = [...samples].map(([name, times]) => ({ name, times: times.flat() }));
      return {
        tables: [
          {
            title: `Starts of other runs in ms, one at a time; ${formatNumber(starts)} per repetition, ${repetitions} repetitions`,
            columns: ['while', 'p50', 'p95', 'p99'],
            rows: all.map(({ name, times }) => [
              name,
              ...[0.5, 0.95, 0.99].map((share) => formatNumber(quantile(times, share), 1)),
            ]),
          },
        ],
        notes: [`${CONCURRENT_COMMANDS} commands for the locked run are in progress at any time.`],
        figures: {
          starts,
          repetitions,
          ...Object.fromEntries(
            all.map(({ name, times }) => [
              name,
              { p50: median(times), p95: quantile(times, 0.95), p99: quantile(times, 0.99) },
            ]),
          ),
        },
      };
    } finally {
      await locker.end();
      await engine.close();
    }
  },
};

async function measureStarts(engine: EngineUnderTest, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    await engine.startRun(index);
    times.push(performance.now() - startedAt);
  }
  return times;
}

async function withLock<T>(
  engine: EngineUnderTest,
  locker: pg.Client,
  lockStatement: string,
  work: () => Promise<T>,
): Promise<T> {
  const runId = await engine.startWaitingRun(0);
  await locker.query('BEGIN');
  const { rowCount } = await locker.query(lockStatement, [runId]);
  if (rowCount !== 1) throw new Error(`Expected to lock one row, but locked ${rowCount}: ${lockStatement}`);
  let isLocked = true;
  // After the lock is released, the first command ends the run, and the others are refused.
  const commands = Array.from({ length: CONCURRENT_COMMANDS }, async () => {
    while (isLocked) await engine.cancelRun(runId).catch(() => undefined);
  });
  try {
    return await work();
  } finally {
    isLocked = false;
    await locker.query('COMMIT');
    await Promise.all(commands);
  }
}
