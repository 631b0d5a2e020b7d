import { expect } from 'chai';
import { parseIsoDay } from './parse-iso-day.js';

describe('parseIsoDay', () => {
  it('should parse dates, and dates with time and offset', () => {
    expect(parseIsoDay('2026-12-01')).to.deep.equal({ at: Date.UTC(2026, 11, 1), hasTime: false });
    expect(parseIsoDay('2026-12-01T10:00:00.5+02:00')).to.deep.equal({
      at: Date.UTC(2026, 11, 1, 8, 0, 0, 500),
      hasTime: true,
    });
    expect(parseIsoDay('2026-12-01T10:00Z')).to.deep.equal({ at: Date.UTC(2026, 11, 1, 10), hasTime: true });
  });

  for (const text of [
    '',
    '2026',
    '2026-12',
    '2026-02-30',
    '2026-02-30T10:00:00Z',
    '2026-13-01',
    '2026-12-01T10:00:00',
    '2026-12-01T25:00:00Z',
    'Thu 1 Jan 2026 (do not pay) 10:00 +02:00',
    '1 Dec 2026',
  ])
    it(`should refuse ${JSON.stringify(text)}`, () => {
      expect(parseIsoDay(text)).to.equal(undefined);
    });
});
