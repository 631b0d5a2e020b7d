import type { RunFilter, RunRecord, StoragePort } from '@countersign/core/ports';
import { createMigratedTestDatabase, openPostgresStorage } from '@countersign/storage-postgres';
import { expect } from 'chai';
import fc from 'fast-check';
import { filters, fits, forests, PLAIN_FILTERS, runsOf, shownOf } from './called-runs.spec.support.js';
import { readAll } from './storage/read-all.js';
import { runWrite } from './storage-fixtures.js';
import { currentTime } from '@countersign/model/testing';

/** Time between forests in ms, so that their ids and a time filter distinguish them. */
const DAY = 86_400_000;

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
    let foundByOthers = 0;
    const property = fc.asyncProperty(
      forests,
      fc.array(filters, { minLength: 8, maxLength: 8 }),
      fc.integer({ min: 1, max: 6 }),
      async (drawn, asked, limit) => {
        // given
        startedAt += DAY;
        const runs = runsOf(drawn, startedAt);
        const all = new Map(runs.map((run) => [run.runId, run]));
        const shown = [...runs].reverse().map((run) => shownOf(run, all));
        const list = (filter: RunFilter): Promise<RunRecord[]> =>
          readAll((page) => storage.listRuns({ ...filter, startedAfter: startedAt - 1 }, page), limit);

        // when
        await storage.commit(runs.map((run) => runWrite({ run })));

        // then
        expect(await list({})).to.eql(shown);
        for (const run of shown)
          expect(await storage.findRun(run.runId)).to.deep.include({ run: all.get(run.runId), shown: run });
        for (const filter of [...PLAIN_FILTERS, ...asked]) {
          const found = shown.filter((run) => fits(run, filter));
          expect(await list(filter), JSON.stringify(filter)).to.eql(found);
          if (filter.status !== undefined)
            foundByOthers += found.filter(({ runId, status }) => status !== all.get(runId)?.status).length;
        }
      },
    );
    await fc.assert(property, { numRuns: 30 });
    // Found by a status other than that of the run itself; otherwise the test would prove nothing.
    expect(foundByOthers).to.be.above(0);
  });
});
