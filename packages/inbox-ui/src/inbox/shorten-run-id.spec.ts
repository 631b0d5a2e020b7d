import { expect } from 'chai';
import { formatAge, shortenRunId } from './row-labels.js';

describe('inbox: labels of rows', () => {
  it('should show different short ids for two runs that started at the same time', () => {
    expect(shortenRunId('019aa8f3-1c00-7abc-8def-0123456789ab')).to.equal('456789ab');
    expect(shortenRunId('019aa8f3-1c00-7abc-8def-0123456789ab')).not.to.equal(
      shortenRunId('019aa8f3-1c00-7abc-8def-0123456789ac'),
    );
  });

  it('should show the age of an approval, and "just now" if its time is in the future', () => {
    const now = Date.parse('2026-11-22T10:00:00.000Z');
    const ages = [
      '2026-11-22T09:57:10.000Z',
      '2026-11-22T07:55:00.000Z',
      '2026-11-18T07:00:00.000Z',
      '2026-11-22T09:59:30.000Z',
      '2026-11-22T10:00:05.000Z',
    ].map((at) => formatAge(at, now));
    expect(ages).to.deep.equal(['2 min ago', '2 h 5 min ago', '4 d 3 h ago', 'just now', 'just now']);
  });
});
