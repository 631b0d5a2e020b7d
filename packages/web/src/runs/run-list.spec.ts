import type { Run } from '@countersign/contract';
import { expect } from 'chai';
import { findCursorAbove, mergeStableRows, NO_RUNS, mergePage, type RunList } from './run-list.js';

/** Creates run `n`, which started after run `n - 1`. */
function createRun(n: number, status = 'active'): Run {
  return {
    runId: `run-${String(n).padStart(4, '0')}`,
    startedAt: `2026-01-01T00:00:00.${String(n).padStart(3, '0')}Z`,
    status,
  } as Run;
}

function createRuns(from: number, to: number): Run[] {
  return Array.from({ length: from - to + 1 }, (_, index) => createRun(from - index));
}

const runNumbers = (list: readonly Run[]): number[] => list.map(({ runId }) => Number(runId.slice(4)));
const loadPage = (
  list: RunList,
  items: Run[],
  nextCursor: string | null,
  after?: number,
): ReturnType<typeof mergePage> =>
  mergePage(list, { items, nextCursor }, after === undefined ? undefined : createRun(after).runId);

describe('RunList', () => {
  const onePage = loadPage(NO_RUNS, createRuns(9, 7), 'c7').list;
  const twoPages = loadPage(onePage, createRuns(6, 4), 'c4', 7).list;

  it('should grow page by page to its end', () => {
    const { list } = loadPage(twoPages, createRuns(3, 1), null, 4);
    expect(runNumbers(list.runs)).to.deep.equal([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect([twoPages.complete, list.complete]).to.deep.equal([false, true]);
  });

  it('should add new runs above the known runs and keep the known runs', () => {
    const { list, isContiguous } = loadPage(twoPages, createRuns(11, 9), 'c9');
    expect([runNumbers(list.runs), isContiguous]).to.deep.equal([[11, 10, 9, 8, 7, 6, 5, 4], true]);
  });

  it('should drop runs that have left the list and runs below a gap', () => {
    expect(runNumbers(loadPage(twoPages, [createRun(9), createRun(6)], 'c6').list.runs)).to.deep.equal([9, 6, 5, 4]);
    const gap = loadPage(twoPages, createRuns(20, 18), 'c18');
    expect([runNumbers(gap.list.runs), gap.isContiguous, gap.list.complete]).to.deep.equal([
      [20, 19, 18],
      false,
      false,
    ]);
    expect([...gap.list.cursors.keys()]).to.deep.equal([createRun(18).runId]);
    expect(runNumbers(loadPage(twoPages, [createRun(8)], null).list.runs)).to.deep.equal([8]);
  });

  it('should reload a row from the cursor above it', () => {
    expect(findCursorAbove(twoPages, 5)).to.deep.equal({ after: createRun(7).runId, cursor: 'c7' });
    expect(findCursorAbove(twoPages, 2)).to.equal(undefined);
    const { list } = loadPage(twoPages, [createRun(6, 'failed'), createRun(5), createRun(4)], 'c4', 7);
    expect([list.runs[3]?.status, list.runs.length]).to.deep.equal(['failed', 6]);
  });

  it('should keep the displayed rows in place and count the new runs', () => {
    // given
    const shownRows = createRuns(5, 3);
    // when
    const { rows, newRunCount } = mergeStableRows(shownRows, [
      createRun(7),
      createRun(6),
      createRun(5, 'failed'),
      createRun(3),
      createRun(2),
    ]);
    // then
    expect([runNumbers(rows), newRunCount]).to.deep.equal([[5, 4, 3, 2], 2]);
    expect(rows[0]?.status).to.equal('failed');
    expect(mergeStableRows([], shownRows)).to.deep.equal({ rows: shownRows, newRunCount: 0 });
    expect(mergeStableRows(shownRows, [createRun(9)])).to.deep.equal({ rows: shownRows, newRunCount: 1 });
  });
});
