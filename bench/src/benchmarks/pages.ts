import type { Page, StoragePort } from '@countersign/core';
import type { Benchmark } from '../benchmark.js';
import { latencies } from '../measure/latency.js';
import { figure } from '../measure/table.js';
import { multiplyRuns, settle } from '../postgres/multiply-runs.js';
import { openEngine, type EngineUnderTest } from '../workload/engine-under-test.js';

const FEW = 100;
const MANY = 100_000;
/** Completed runs among the few; the others, more than a page, wait at their approval. */
const COMPLETED = 40;
const PAGE = 50;
const TIMES = 400;

/** A page of runs and of approvals, among few and among many. */
export const pages: Benchmark = {
  name: 'pages',
  database: true,
  async run({ postgres, progress }) {
    const few = await prepared(await postgres.createDatabase(), 1, progress);
    const many = await prepared(await postgres.createDatabase(), MANY / FEW, progress);
    try {
      const measured = [];
      const middles = { few: await middleOf(few.storage, FEW), many: await middleOf(many.storage, MANY) };
      for (const { name, read } of PAGES) {
        progress(name);
        const times = await latencies(
          { few: () => full(read(few.storage, middles.few)), many: () => full(read(many.storage, middles.many)) },
          TIMES,
        );
        measured.push({ name, ...times, ratio: times.many.p50 / times.few.p50 });
      }
      return {
        tables: [
          {
            title: `pages: ${PAGE} items in ms, through the storage port, ${TIMES} times each`,
            columns: ['page', `p50 of ${figure(FEW)}`, 'p95', `p50 of ${figure(MANY)}`, 'p95', 'ratio'],
            rows: measured.map(({ name, few: { p50, p95 }, many: large, ratio }) => [
              name,
              ...[p50, p95, large.p50, large.p95, ratio].map((value) => figure(value, 2)),
            ]),
          },
        ],
        notes: [],
        figures: { few: FEW, many: MANY, measured },
      };
    } finally {
      await few.close();
      await many.close();
    }
  },
};

async function prepared(
  connectionString: string,
  factor: number,
  progress: (text: string) => void,
): Promise<EngineUnderTest> {
  progress(`creating ${figure(FEW * factor)} runs`);
  const engine = await openEngine(connectionString);
  await engine.completeRuns(COMPLETED);
  await engine.startRuns(FEW - COMPLETED);
  if (factor > 1) await multiplyRuns(connectionString, factor);
  await settle(connectionString);
  return engine;
}

interface PageRead {
  readonly name: string;
  /** @param middle cursor of the page in the middle of all runs */
  read(storage: StoragePort, middle: string): Promise<Page<unknown>>;
}

const limit = PAGE;

const PAGES: readonly PageRead[] = [
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

async function full(page: Promise<Page<unknown>>): Promise<void> {
  const { items } = await page;
  if (items.length !== PAGE) throw new Error(`A page of ${PAGE} has ${items.length}.`);
}

/** Returns the cursor after the newer half of all runs. */
async function middleOf(storage: StoragePort, runs: number): Promise<string> {
  let cursor: string | undefined;
  for (let seen = 0; seen < runs / 2; seen += PAGE) {
    const { nextCursor } = await storage.listRuns({}, { limit, ...(cursor === undefined ? {} : { cursor }) });
    cursor = nextCursor ?? undefined;
  }
  if (cursor === undefined) throw new Error('No page in the middle was found.');
  return cursor;
}
