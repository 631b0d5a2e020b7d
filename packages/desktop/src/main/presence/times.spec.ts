import { expect } from 'chai';
import { callInTimeZone } from './call-in-time-zone.spec.support.js';
import { getEndTime, formatTimeOfDay } from './times.js';

describe('end of a mute and format of times', () => {
  const now = new Date(2026, 10, 23, 22, 30).getTime();

  it('should end the mute one hour later or at 8:00 on the next morning', () => {
    expect(getEndTime('hour', now) - now).to.equal(3_600_000);
    expect(new Date(getEndTime('tomorrow', now))).to.deep.equal(new Date(2026, 10, 24, 8));
    expect(new Date(getEndTime('tomorrow', new Date(2026, 11, 31, 3).getTime()))).to.deep.equal(
      new Date(2027, 0, 1, 8),
    );
  });

  it('should show the weekday if the time is on another day', () => {
    expect(formatTimeOfDay(new Date(2026, 10, 23, 23, 5).getTime(), now)).to.equal('23:05');
    expect(formatTimeOfDay(new Date(2026, 10, 24, 8).getTime(), now)).to.match(/^Tue,? 08:00$/);
  });

  it('should show the UTC offset if the local time occurs twice', () => {
    // given
    const [noon, secondOccurrence] = ['2027-10-30T10:00Z', '2027-10-31T01:30Z'].map(Date.parse);
    const module = new URL('./times.js', import.meta.url);
    // then
    expect(callInTimeZone('Europe/Berlin', module, 'formatTimeOfDay', secondOccurrence, noon)).to.match(
      /^Sun,? 02:30 UTC\+01:00$/,
    );
    expect(callInTimeZone('UTC', module, 'formatTimeOfDay', secondOccurrence, noon)).to.match(/^Sun,? 01:30$/);
  });
});
