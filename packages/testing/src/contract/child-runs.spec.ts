import type { RunFilter, RunRecord, StoragePort } from '@countersign/core/ports';
import { createMigratedTestDatabase, openPostgresStorage } from '@countersign/storage-postgres';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  combinedFilters,
  matchesFilter,
  runForests,
  SINGLE_FILTERS,
  createRuns,
  toDisplayedRun,
} from './child-runs.spec.support.js';
import { readAll } from './storage/read-all.js';
import { createRunWrite } from './storage-fixtures.js';
import { currentTime } from '@countersign/model/testing';

/** Time between forests in ms, so that their ids and a time filter distinguish them. */
const DAY_MS = 86_400_000;

describe('storage-postgres: runs with child runs in any arrangement', function () {
  this.timeout(120_000);
  let storage: StoragePort;
  let close: () => Promise<void>;
  let drop: () => Promise<void>;

  before(async () => {
    const database = await createMigratedTestDatabase();
    ({ drop } = database);
    ({ storage, close } = await openPostgresStorage({ connectionString: database.connectionString, poolSize: 1 }));
  });

  after(async () => {
    await close();
    await drop();
  });

  it('should derive and filter the displayed status from the child runs, with any page size', async () => {
    let startedAt = currentTime();
    let derivedMatchCount = 0;
    const property = fc.asyncProperty(
      runForests,
      fc.array(combinedFilters, { minLength: 8, maxLength: 8 }),
      fc.integer({ min: 1, max: 6 }),
      async (generatedRuns, randomFilters, limit) => {
        // given
        startedAt += DAY_MS;
        const runs = createRuns(generatedRuns, startedAt);
        const runsById = new Map(runs.map((run) => [run.runId, run]));
        const displayedRuns = [...runs].reverse().map((run) => toDisplayedRun(run, runsById));
        const listRuns = (filter: RunFilter): Promise<RunRecord[]> =>
          readAll((page) => storage.listRuns({ ...filter, startedAfter: startedAt - 1 }, page), limit);

        // when
        await storage.commit(runs.map((run) => createRunWrite({ run })));

        // then
        expect(await listRuns({})).to.eql(displayedRuns);
        for (const run of displayedRuns)
          expect(await storage.findRun(run.runId)).to.deep.include({ run: runsById.get(run.runId), displayedRun: run });
        for (const filter of [...SINGLE_FILTERS, ...randomFilters]) {
          const expectedRuns = displayedRuns.filter((run) => matchesFilter(run, filter));
          expect(await listRuns(filter), JSON.stringify(filter)).to.eql(expectedRuns);
          if (filter.status !== undefined)
            derivedMatchCount += expectedRuns.filter(
              ({ runId, status }) => status !== runsById.get(runId)?.status,
            ).length;
        }
      },
    );
    await fc.assert(property, { numRuns: 30 });
    // Some runs were found by a displayed status that differs from their own; otherwise the test would prove nothing.
    expect(derivedMatchCount).to.be.above(0);
  });
});
