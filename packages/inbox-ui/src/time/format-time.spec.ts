import { expect } from 'chai';
import { formatDuration, formatMinute, formatTime } from './format-time.js';

const NOW = Date.parse('2026-01-01T12:00:00Z');

function at(ms: number): string {
  return new Date(NOW + ms).toISOString();
}

describe('formatTime', () => {
  it('should tell how long ago something was', () => {
    expect(formatTime(at(-180_000), 'relative', NOW, 'past')).to.equal('3 min. ago');
  });

  it('should not tell as to come what is past, where the clock is behind', () => {
    for (const ms of [1, 900, 180_000, 86_400_000])
      expect(formatTime(at(ms), 'relative', NOW, 'past')).to.equal('just now');
  });

  it('should tell what is to come where that may be', () => {
    expect(formatTime(at(180_000), 'relative', NOW, 'either')).to.equal('in 3 min.');
    expect(formatTime(at(-180_000), 'relative', NOW, 'either')).to.equal('3 min. ago');
  });

  it('should show the moment itself as it is', () => {
    expect(formatTime(at(180_000), 'utc', NOW, 'past')).to.equal('1 Jan 2026, 12:03:00 UTC');
  });
});

describe('formatDuration', () => {
  it('should never be less than nothing', () => {
    for (const ms of [-1, -999, -180_000]) expect(formatDuration(ms)).to.equal('0 ms');
  });

  it('should be short', () => {
    expect([850, 1_240, 12_400, 200_000, 7_500_000, 356_400_000].map(formatDuration)).to.deep.equal([
      '850 ms',
      '1.2 s',
      '12 s',
      '3 min 20 s',
      '2 h 5 min',
      '4 d 3 h',
    ]);
  });

  it('should tell a moment in a sentence to the minute', () => {
    expect(formatMinute('2026-11-25T09:05:59.000Z', 'utc')).to.match(/^Wed,? 25 Nov 2026,? (at )?09:05 UTC$/);
    expect(formatMinute('2026-11-25T09:05:59.000Z', 'relative')).to.equal(
      formatMinute('2026-11-25T09:05:59.000Z', 'local'),
    );
  });
});
