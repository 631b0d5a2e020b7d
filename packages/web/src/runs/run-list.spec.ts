import type { Run } from '@countersign/contract';
import { expect } from 'chai';
import { cursorAbove, stableRows, NO_RUNS, withPage, type RunList } from './run-list.js';

/** Creates run `n`, which started after run `n - 1`. */
function run(n: number, status = 'active'): Run {
  return {
    runId: `run-${String(n).padStart(4, '0')}`,
    startedAt: `2026-01-01T00:00:00.${String(n).padStart(3, '0')}Z`,
    status,
  } as Run;
}

function runs(from: number, to: number): Run[] {
  return Array.from({ length: from - to + 1 }, (_, index) => run(from - index));
}

const ids = (list: readonly Run[]): number[] => list.map(({ runId }) => Number(runId.slice(4)));
const load = (list: RunList, items: Run[], nextCursor: string | null, after?: number): ReturnType<typeof withPage> =>
  withPage(list, { items, nextCursor }, after === undefined ? undefined : run(after).runId);

describe('RunList', () => {
  const first = load(NO_RUNS, runs(9, 7), 'c7').list;
  const two = load(first, runs(6, 4), 'c4', 7).list;

  it('should grow page by page to its end', () => {
    const { list } = load(two, runs(3, 1), null, 4);
    expect(ids(list.runs)).to.deep.equal([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect([two.complete, list.complete]).to.deep.equal([false, true]);
  });

  it('should add new runs above the known runs and keep the known runs', () => {
    const { list, touches } = load(two, runs(11, 9), 'c9');
    expect([ids(list.runs), touches]).to.deep.equal([[11, 10, 9, 8, 7, 6, 5, 4], true]);
  });

  it('should drop runs that have left the list and runs below a gap', () => {
    expect(ids(load(two, [run(9), run(6)], 'c6').list.runs)).to.deep.equal([9, 6, 5, 4]);
    const gap = load(two, runs(20, 18), 'c18');
    expect([ids(gap.list.runs), gap.touches, gap.list.complete]).to.deep.equal([[20, 19, 18], false, false]);
    expect([...gap.list.cursors.keys()]).to.deep.equal([run(18).runId]);
    expect(ids(load(two, [run(8)], null).list.runs)).to.deep.equal([8]);
  });

  it('should reload a row from the cursor above it', () => {
    expect(cursorAbove(two, 5)).to.deep.equal({ after: run(7).runId, cursor: 'c7' });
    expect(cursorAbove(two, 2)).to.equal(undefined);
    const { list } = load(two, [run(6, 'failed'), run(5), run(4)], 'c4', 7);
    expect([list.runs[3]?.status, list.runs.length]).to.deep.equal(['failed', 6]);
  });

  it('should keep the displayed rows in place and count the new runs', () => {
    // given
    const shown = runs(5, 3);
    // when
    const { rows, fresh } = stableRows(shown, [run(7), run(6), run(5, 'failed'), run(3), run(2)]);
    // then
    expect([ids(rows), fresh]).to.deep.equal([[5, 4, 3, 2], 2]);
    expect(rows[0]?.status).to.equal('failed');
    expect(stableRows([], shown)).to.deep.equal({ rows: shown, fresh: 0 });
    expect(stableRows(shown, [run(9)])).to.deep.equal({ rows: shown, fresh: 1 });
  });
});
