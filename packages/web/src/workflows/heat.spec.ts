import type { ElementStatistics } from '@countersign/contract';
import { expect } from 'chai';
import { buildHeatLegend, computeHeat } from './heat.js';

const element = (elementId: string, entered: number, median: number | null, rejected?: number): ElementStatistics => ({
  elementId,
  entered,
  active: 0,
  waiting: 0,
  completed: entered,
  failed: 0,
  cancelled: 0,
  durationMs: { median, p95: median, max: median },
  approvals:
    rejected === undefined
      ? null
      : { requested: 9, approved: 0, rejected, changesRequested: 0, withdrawn: 0, expired: 0 },
});

describe('heat map', () => {
  it('should shade counts in proportion and not shade zero', () => {
    const heat = computeHeat(
      [element('a', 100, null), element('b', 50, null), element('c', 1, null), element('d', 0, null)],
      'entered',
    );
    expect(heat.map(({ shade }) => shade)).to.deep.equal([5, 3, 1, 0]);
    expect(buildHeatLegend(heat)).to.deep.equal([
      { shade: 1, from: 1, to: 1 },
      { shade: 3, from: 50, to: 50 },
      { shade: 5, from: 100, to: 100 },
    ]);
  });

  it('should shade durations by their order of magnitude and omit elements without a duration', () => {
    const heat = computeHeat([element('a', 1, 10_000_000), element('b', 1, 1_000), element('c', 1, null)], 'median');
    expect(heat).to.deep.equal([
      { elementId: 'a', value: 10_000_000, shade: 5 },
      { elementId: 'b', value: 1_000, shade: 3 },
    ]);
  });

  it('should show rejections only for elements with approvals', () => {
    expect(
      computeHeat([element('a', 1, null), element('b', 9, null, 2), element('c', 9, null, 0)], 'rejections').map(
        ({ elementId, shade }) => [elementId, shade],
      ),
    ).to.deep.equal([
      ['b', 5],
      ['c', 0],
    ]);
    expect(computeHeat([element('a', 1, null)], 'failures')).to.deep.equal([{ elementId: 'a', value: 0, shade: 0 }]);
  });
});
