import type { Page, StoragePort } from '@countersign/core';
import type { Benchmark } from '../benchmark.js';
import { measureLatencies } from '../measure/latency.js';
import { formatNumber } from '../measure/table.js';
import { multiplyRuns, vacuum } from '../postgres/multiply-runs.js';
import { openEngine, type EngineUnderTest } from '../workload/engine-under-test.js';

const FEW_RUNS = 100;
const MANY_RUNS = 100_000;
/** Number of completed runs among the first `FEW_RUNS`. The others, more than a page, wait for their approval. */
const COMPLETED_RUNS = 40;
const PAGE_SIZE = 50;
const REPETITIONS = 400;

/** Time to read a page of runs or approvals, compared between 100 and 100,000 runs. */
export const pages: Benchmark = {
  name: 'pages',
  database: true,
  async run({ postgres, progress }) {
    const smallEngine = await prepareEngine(await postgres.createDatabase(), 1, progress);
    const largeEngine = await prepareEngine(await postgres.createDatabase(), MANY_RUNS / FEW_RUNS, progress);
    try {
      const measurements = [];
      const middleCursors = {
        few: await findMiddleCursor(smallEngine.storage, FEW_RUNS),
        many: await findMiddleCursor(largeEngine.storage, MANY_RUNS),
      };
      for (const { name, read } of PAGE_READS) {
        progress(name);
        const times = await measureLatencies(
          {
            few: () => requireFullPage(read(smallEngine.storage, middleCursors.few)),
            many: () => requireFullPage(read(largeEngine.storage, middleCursors.many)),
          },
          REPETITIONS,
        );
        measurements.push({ name, ...times, ratio: times.many.p50 / times.few.p50 });
      }
      return {
        tables: [
          {
            title: `pages: ${PAGE_SIZE} items in ms, through the storage port, ${REPETITIONS} times each`,
            columns: [
              'page',
              `p50 of ${formatNumber(FEW_RUNS)}`,
              'p95',
              `p50 of ${formatNumber(MANY_RUNS)}`,
              'p95',
              'ratio',
            ],
            rows: measurements.map(({ name, few: { p50, p95 }, many: large, ratio }) => [
              name,
              ...[p50, p95, large.p50, large.p95, ratio].map((value) => formatNumber(value, 2)),
            ]),
          },
        ],
        notes: [],
        figures: { few: FEW_RUNS, many: MANY_RUNS, measurements },
      };
    } finally {
      await smallEngine.close();
      await largeEngine.close();
    }
  },
};

async function prepareEngine(
  connectionString: string,
  factor: number,
  progress: (text: string) => void,
): Promise<EngineUnderTest> {
  progress(`creating ${formatNumber(FEW_RUNS * factor)} runs`);
  const engine = await openEngine(connectionString);
  await engine.completeRuns(COMPLETED_RUNS);
  await engine.startWaitingRuns(FEW_RUNS - COMPLETED_RUNS);
  if (factor > 1) await multiplyRuns(connectionString, factor);
  await vacuum(connectionString);
  return engine;
}

interface PageRead {
  readonly name: string;
  /** @param middleCursor cursor of the page in the middle of all runs */
  read(storage: StoragePort, middleCursor: string): Promise<Page<unknown>>;
}

const limit = PAGE_SIZE;

const PAGE_READS: readonly PageRead[] = [
  { name: 'runs, newest', read: (storage) => storage.listRuns({}, { limit }) },
  { name: 'runs, in the middle', read: (storage, cursor) => storage.listRuns({}, { limit, cursor }) },
  {
    name: 'runs that wait for an approval',
    read: (storage) => storage.listRuns({ waitingFor: 'approval' }, { limit }),
  },
  { name: 'pending approvals, newest', read: (storage) => storage.listApprovals({ status: 'pending' }, { limit }) },
  {
    name: 'pending approvals, by risk',
    read: (storage) => storage.listApprovals({ status: 'pending', sort: 'risk' }, { limit }),
  },
  {
    name: 'pending approvals that I may decide',
    read: (storage) =>
      storage.listApprovals({ status: 'pending', decidableBy: { id: 'approver', groups: [] } }, { limit }),
  },
];

async function requireFullPage(page: Promise<Page<unknown>>): Promise<void> {
  const { items } = await page;
  if (items.length !== PAGE_SIZE) throw new Error(`Expected a page of ${PAGE_SIZE} items, but got ${items.length}.`);
}

/** Returns the cursor after the newer half of all runs. */
async function findMiddleCursor(storage: StoragePort, runs: number): Promise<string> {
  let cursor: string | undefined;
  for (let offset = 0; offset < runs / 2; offset += PAGE_SIZE) {
    const { nextCursor } = await storage.listRuns({}, { limit, ...(cursor === undefined ? {} : { cursor }) });
    cursor = nextCursor ?? undefined;
  }
  if (cursor === undefined) throw new Error('Found no cursor in the middle of the runs.');
  return cursor;
}
