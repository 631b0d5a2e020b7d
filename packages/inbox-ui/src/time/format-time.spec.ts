import { expect } from 'chai';
import { formatDuration, formatMinute, formatTime } from './format-time.js';

const NOW = Date.parse('2026-01-01T12:00:00Z');

function toTimestamp(ms: number): string {
  return new Date(NOW + ms).toISOString();
}

describe('formatTime', () => {
  it('should show how long ago a time was', () => {
    expect(
      [-59_999, -60_000, -180_000, -7_500_000, -356_400_000].map((ms) =>
        formatTime(toTimestamp(ms), 'relative', NOW, 'past'),
      ),
    ).to.deep.equal(['just now', '1 minute ago', '3 minutes ago', '2 hours ago', '4 days ago']);
  });

  it('should show a past event as "just now" if the local clock is behind', () => {
    for (const ms of [1, 900, 180_000, 86_400_000])
      expect(formatTime(toTimestamp(ms), 'relative', NOW, 'past')).to.equal('just now');
  });

  it('should show a future time if the time may be in the future', () => {
    expect(formatTime(toTimestamp(180_000), 'relative', NOW, 'either')).to.equal('in 3 minutes');
    expect(formatTime(toTimestamp(30_000), 'relative', NOW, 'either')).to.equal('in 30 seconds');
    expect(formatTime(toTimestamp(-180_000), 'relative', NOW, 'either')).to.equal('3 minutes ago');
  });

  it('should show the absolute time in UTC', () => {
    expect(formatTime(toTimestamp(180_000), 'utc', NOW, 'past')).to.equal('1 Jan 2026, 12:03:00 UTC');
  });
});

describe('formatDuration', () => {
  it('should show a negative duration as 0 ms', () => {
    for (const ms of [-1, -999, -180_000]) expect(formatDuration(ms)).to.equal('0 ms');
  });

  it('should show at most two units', () => {
    expect([850, 1_240, 12_400, 200_000, 7_500_000, 356_400_000].map(formatDuration)).to.deep.equal([
      '850 ms',
      '1.2 s',
      '12 s',
      '3 min 20 s',
      '2 h 5 min',
      '4 d 3 h',
    ]);
  });
});

describe('formatMinute', () => {
  it('should show a time to the minute', () => {
    expect(formatMinute('2026-11-25T09:05:59.000Z', 'utc')).to.match(/^Wed,? 25 Nov 2026,? (at )?09:05 UTC$/);
    expect(formatMinute('2026-11-25T09:05:59.000Z', 'relative')).to.equal(
      formatMinute('2026-11-25T09:05:59.000Z', 'local'),
    );
  });
});
