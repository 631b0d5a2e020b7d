import type { BenchReport } from '../benchmark.js';
import type { DatabaseCost, Sample } from '../measure/meter.js';
import { computeMedian, computeThroughputShares, toSampleTable } from '../measure/sample-table.js';
import { median, quantile } from '../measure/statistics.js';
import { formatNumber, formatRange, formatShares, type Table } from '../measure/table.js';
import { IN_FLIGHT } from '../workload/limits.js';
import type { RunTimes } from './engine-driver.js';
import { DATABASES } from './temporal-server.js';

type EngineName = 'embedded' | 'Temporal' | 'bare Temporal';

/** One repetition of one engine. */
export interface EngineRound {
  readonly sample: Sample;
  /** Times of the runs of the sample. */
  readonly concurrent: readonly RunTimes[];
  /** Times of runs that were executed one at a time. */
  readonly single: readonly RunTimes[];
}

export type EngineRounds = ReadonlyMap<EngineName, readonly EngineRound[]>;

interface Measurements {
  readonly rounds: EngineRounds;
  /** Times until votes were answered on Temporal while the cluster was down, in ms, one at a time. */
  readonly votesWithoutCluster: readonly number[];
  /** Times from votes until the next jobs after a server was killed, in ms. */
  readonly nextJobsAfterCrash: readonly number[];
  readonly runs: number;
  readonly repetitions: number;
}

/** Goals for our engine on Temporal. */
const GOALS = Object.freeze({
  /** Minimum throughput, as a share of that of bare Temporal. */
  throughputShare: 0.8,
  /** Maximum time from a vote to the next job, as a multiple of that of bare Temporal. */
  nextJobRatio: 1.5,
  /** Maximum time until a vote is answered, in ms. */
  voteAnsweredMs: 10,
  /** Maximum time from a vote to the next job after a server was killed, in ms. */
  afterCrashMs: 3_000,
});

const HEADINGS = { concurrent: `${IN_FLIGHT} in flight`, single: 'one in flight' } as const;
type Load = keyof typeof HEADINGS;

export function buildEnginesReport({
  rounds,
  votesWithoutCluster,
  nextJobsAfterCrash,
  runs,
  repetitions,
}: Measurements): BenchReport {
  const samples = new Map([...rounds].map(([name, all]) => [name, all.map(({ sample }) => sample)]));
  const shares = computeThroughputShares(samples, 'Temporal', 'bare Temporal');
  const nextJobRatios = {
    concurrent: computeNextJobRatios(rounds, 'concurrent'),
    single: computeNextJobRatios(rounds, 'single'),
  };
  const singleVotes = collect(rounds, 'Temporal', 'single').map(({ voteAnsweredMs }) => voteAnsweredMs);
  return {
    tables: [
      toSampleTable(`engines: ${formatNumber(runs)} runs per repetition, ${repetitions} repetitions, medians`, samples),
      toDatabaseTable(samples),
      toLatencyTable(rounds, votesWithoutCluster),
    ],
    notes: [
      'Temporal, compared with bare Temporal:',
      `- throughput: ${formatShares(shares)} ${judge(median(shares) >= GOALS.throughputShare, `at least ${GOALS.throughputShare * 100} %`)}`,
      ...(Object.keys(HEADINGS) as Load[]).map((load) => {
        const ratios = nextJobRatios[load];
        const goal = judge(median(ratios) <= GOALS.nextJobRatio, `at most ${GOALS.nextJobRatio}`);
        return `- vote to next job, ${HEADINGS[load]}, p50: ${formatNumber(median(ratios), 2)} times as long (${formatRange(ratios, 2)}) ${goal}`;
      }),
      `- vote answered, one in flight, p50: ${judgeVotes(singleVotes)}`,
      `- the same while the cluster is down: ${judgeVotes(votesWithoutCluster)}`,
      `- vote to next job, right after a server was killed: ${judgeCrash(nextJobsAfterCrash)}`,
    ],
    figures: {
      runs,
      repetitions,
      samples: Object.fromEntries(samples),
      shares,
      nextJobRatios,
      rounds: Object.fromEntries(rounds),
      votesWithoutCluster,
      nextJobsAfterCrash,
    },
  };
}

/** Names of the databases; others belong to Countersign. */
const DATABASE_NAMES: Readonly<Record<string, string>> = {
  [DATABASES.default]: 'executions of Temporal',
  [DATABASES.visibility]: 'visibility of Temporal',
};

function toDatabaseTable(samples: ReadonlyMap<EngineName, readonly Sample[]>): Table {
  return {
    title: 'cost of each database, per run',
    columns: ['phase, database', 'CPU ms of its connections', 'kB on disk'],
    rows: [...samples].flatMap(([phase, all]) => {
      const getMedian = (name: string, pick: (cost: DatabaseCost) => number | undefined): number | undefined =>
        computeMedian(all, ({ databases }) => {
          const cost = databases[name];
          return cost === undefined ? undefined : pick(cost);
        });
      return Object.keys(all[0]?.databases ?? {})
        .filter((name) => (getMedian(name, ({ bytes }) => bytes) ?? 0) > 0)
        .map((name) => [
          `${phase}, ${DATABASE_NAMES[name] ?? 'Countersign'}`,
          formatNumber(
            getMedian(name, ({ cpuMs }) => cpuMs),
            2,
          ),
          formatNumber((getMedian(name, ({ bytes }) => bytes) ?? Number.NaN) / 1_000, 1),
        ]);
    }),
  };
}

function toLatencyTable(rounds: EngineRounds, votesWithoutCluster: readonly number[]): Table {
  const toCells = (times: readonly number[]): string[] =>
    [0.5, 0.99].map((share) => formatNumber(quantile(times, share), 1));
  const toRow = (name: EngineName, load: Load): string[] => {
    const all = collect(rounds, name, load);
    return [
      `${name}, ${HEADINGS[load]}`,
      ...toCells(all.map(({ voteAnsweredMs }) => voteAnsweredMs)),
      ...toCells(all.map(({ nextJobMs }) => nextJobMs)),
    ];
  };
  return {
    title: 'times after a vote, in ms',
    columns: ['phase', 'answered p50', 'answered p99', 'next job p50', 'next job p99'],
    rows: [
      ...(Object.keys(HEADINGS) as Load[]).flatMap((load) => [...rounds.keys()].map((name) => toRow(name, load))),
      ['Temporal, one in flight, cluster down', ...toCells(votesWithoutCluster), '–', '–'],
    ],
  };
}

/** Returns how many times as long our engine takes until the next job, by repetition. */
function computeNextJobRatios(rounds: EngineRounds, load: Load): number[] {
  const medians = (name: EngineName): number[] =>
    (rounds.get(name) ?? []).map((round) => median(round[load].map(({ nextJobMs }) => nextJobMs)));
  const baseline = medians('bare Temporal');
  return medians('Temporal').map((value, index) => value / (baseline[index] ?? Number.NaN));
}

function collect(rounds: EngineRounds, name: EngineName, load: Load): RunTimes[] {
  return (rounds.get(name) ?? []).flatMap((round) => round[load]);
}

function judgeVotes(times: readonly number[]): string {
  const isReached = median(times) <= GOALS.voteAnsweredMs;
  return `${formatNumber(median(times), 1)} ms ${judge(isReached, `at most ${GOALS.voteAnsweredMs} ms`)}`;
}

function judgeCrash(times: readonly number[]): string {
  const longest = Math.max(...times);
  return `p50 ${formatNumber(median(times))} ms, at most ${formatNumber(longest)} ms ${judge(longest <= GOALS.afterCrashMs, `at most ${formatNumber(GOALS.afterCrashMs)} ms`)}`;
}

function judge(isReached: boolean, goal: string): string {
  return `(goal: ${goal}, ${isReached ? 'reached' : 'missed'})`;
}
