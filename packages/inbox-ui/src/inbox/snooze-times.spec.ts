import { expect } from 'chai';
import { formatSnooze, getSnoozeChoices } from './snooze-times.js';

describe('inbox: snooze times', () => {
  const toTimestamp = (day: number, hour: number, minute = 0): number =>
    new Date(2026, 10, day, hour, minute).getTime();
  const getTimesById = (now: number): Record<string, number> =>
    Object.fromEntries(getSnoozeChoices(now).map(({ id, at: time }) => [id, time]));

  it('should offer one hour, this afternoon, tomorrow and Monday', () => {
    // 24 November 2026 is a Tuesday.
    expect(getTimesById(toTimestamp(24, 10))).to.deep.equal({
      hour: toTimestamp(24, 11),
      afternoon: toTimestamp(24, 15),
      tomorrow: toTimestamp(25, 9),
      monday: toTimestamp(30, 9),
    });
  });

  it('should not offer an afternoon that has started or is about to start', () => {
    expect(getTimesById(toTimestamp(24, 13, 29))).to.have.property('afternoon');
    for (const now of [toTimestamp(24, 13, 31), toTimestamp(24, 15), toTimestamp(24, 23, 30)])
      expect(getTimesById(now)).not.to.have.property('afternoon');
  });

  it('should offer the next Monday unless it is tomorrow', () => {
    expect(getTimesById(toTimestamp(29, 12)))
      .to.include({ tomorrow: toTimestamp(30, 9) })
      .and.not.to.have.property('monday');
    expect(getTimesById(toTimestamp(30, 12))).to.have.property('monday', new Date(2026, 11, 7, 9).getTime());
    expect(getTimesById(toTimestamp(28, 12))).to.have.property('monday', toTimestamp(30, 9));
  });

  it('should be shown with the weekday or the date if they are on another day', () => {
    const now = toTimestamp(24, 10);
    expect(formatSnooze(toTimestamp(24, 15), now)).to.equal('15:00');
    expect(formatSnooze(toTimestamp(25, 9), now)).to.match(/^Wed,? 09:00$/);
    expect(formatSnooze(toTimestamp(24, 9) + 10 * 24 * 3_600_000, now)).to.match(/^Fri,? 4 Dec,? .*09:00$/);
  });

  it('should be shown with the UTC offset if the local time occurs twice', () => {
    const zone = 'Europe/Berlin';
    const [noon, first] = ['2027-10-30T10:00Z', '2027-10-31T00:30Z'].map(Date.parse) as [number, number];
    const second = first + 3_600_000;
    expect([first, second].map((time) => formatSnooze(time, first, zone))).to.deep.equal([
      '02:30 UTC+02:00',
      '02:30 UTC+01:00',
    ]);
    expect(formatSnooze(second, noon, zone)).to.match(/^Sun,? 02:30 UTC\+01:00$/);
    expect(formatSnooze(second + 3_600_000, noon, zone)).to.match(/^Sun,? 03:30$/);
  });

  it('should be shown with the weekday of the calendar, also after a skipped day', () => {
    const [before, after] = ['2011-12-30T09:00Z', '2011-12-30T11:00Z'].map(Date.parse) as [number, number];
    expect(formatSnooze(after, before, 'Pacific/Apia')).to.match(/^Sat,? 01:00$/);
  });
});
