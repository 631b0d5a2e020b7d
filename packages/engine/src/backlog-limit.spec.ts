import { ApiError } from '@countersign/core/plugin';
import { expect } from 'chai';
import { BacklogLimit } from './backlog-limit.js';

describe('BacklogLimit', () => {
  let counts: Record<string, number>;
  let reads: number;
  let limit: BacklogLimit;

  beforeEach(() => {
    counts = {};
    reads = 0;
    const countAnnouncements = async (engine: string) => {
      reads += 1;
      return { count: counts[engine] ?? 0, oldestAgeMs: null };
    };
    limit = new BacklogLimit({ countAnnouncements }, () => 10);
  });

  it('should refuse starts of runs of an engine with too many announcements', async () => {
    counts = { temporal: 10, other: 9 };

    const error = await limit.findRefusal('temporal');
    expect(error).to.be.instanceOf(ApiError).and.to.include({ code: 'service_unavailable' });
    expect(await limit.findRefusal('other')).to.equal(undefined);
  });

  it('should count the announcements once for several starts', async () => {
    for (let start = 0; start < 5; start += 1) await limit.findRefusal('temporal');
    expect(reads).to.equal(1);
  });
});
