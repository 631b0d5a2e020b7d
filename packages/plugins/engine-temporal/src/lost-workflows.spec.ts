import { expect } from 'chai';
import { LostWorkflows } from './lost-workflows.js';

const RUN_COUNT = 250;
const RUN_IDS = Array.from({ length: RUN_COUNT }, (_, index) => `run-${String(index).padStart(3, '0')}`);
const SLOW_PAUSE_MS = 10_000;

describe('LostWorkflows', () => {
  let checkedRunIds: string[];
  let announcedRunIds: string[];
  let lostRunIds: ReadonlySet<string>;
  let failure: Error | undefined;
  let lostWorkflows: LostWorkflows;

  beforeEach(() => {
    [checkedRunIds, announcedRunIds, lostRunIds] = [[], [], new Set()];
    failure = undefined;
    const log = () => undefined;
    lostWorkflows = new LostWorkflows({
      engine: 'temporal',
      cluster: {
        address: 'localhost:7233',
        readNamespaceId: async () => 'namespace',
        findLostWorkflows: async (runIds) => {
          if (failure !== undefined) throw failure;
          checkedRunIds.push(...runIds);
          return runIds.filter((runId) => lostRunIds.has(runId));
        },
      },
      storage: {
        listRunsWithOpenWork: async ({ after, limit }) => {
          const start = after === null ? 0 : RUN_IDS.indexOf(after) + 1;
          const runIds = RUN_IDS.slice(start, start + limit);
          return { runIds, last: runIds.length < limit ? null : (runIds.at(-1) ?? null) };
        },
        addAnnouncements: async (_engine, runIds) => void announcedRunIds.push(...runIds),
      },
      log: { debug: log, info: log, warn: log, error: log },
    });
  });

  /** Checks pages until the next one is not urgent, and returns the number of pages. */
  async function checkUrgentPages(): Promise<number> {
    for (let pages = 1; ; pages += 1) if ((await lostWorkflows.checkPage()) === SLOW_PAUSE_MS) return pages;
  }

  it('should announce only runs whose workflow is lost, on all pages', async () => {
    lostRunIds = new Set(['run-000', 'run-199', 'run-249']);

    expect(await checkUrgentPages()).to.equal(3);
    expect(checkedRunIds).to.deep.equal(RUN_IDS);
    expect(announcedRunIds).to.deep.equal([...lostRunIds]);
  });

  it('should then check slowly, and start again after the last page', async () => {
    await checkUrgentPages();
    checkedRunIds = [];

    const pauses = [];
    for (let page = 0; page < 4; page += 1) pauses.push(await lostWorkflows.checkPage());

    expect(pauses).to.deep.equal(Array.from({ length: 4 }, () => SLOW_PAUSE_MS));
    expect(checkedRunIds).to.deep.equal([...RUN_IDS, ...RUN_IDS.slice(0, 100)]);
  });

  it('should continue after a failure, and then check all runs once more', async () => {
    // given
    await lostWorkflows.checkPage();
    failure = new Error('unreachable');
    expect(await lostWorkflows.checkPage().catch((error: unknown) => error)).to.equal(failure);
    checkedRunIds = [];

    // when
    failure = undefined;
    await checkUrgentPages();

    // then
    expect(checkedRunIds).to.deep.equal([...RUN_IDS.slice(100), ...RUN_IDS]);
  });
});
