import { expect } from 'chai';
import { formatSnooze, snoozeChoices } from './snooze-times.js';

describe('inbox: the times that approvals are put off to', () => {
  const at = (day: number, hour: number, minute = 0): number => new Date(2026, 10, day, hour, minute).getTime();
  const choices = (now: number): Record<string, number> =>
    Object.fromEntries(snoozeChoices(now).map(({ id, at: time }) => [id, time]));

  it('should be in an hour, this afternoon, tomorrow and on Monday', () => {
    // 24 November 2026 is a Tuesday.
    expect(choices(at(24, 10))).to.deep.equal({
      hour: at(24, 11),
      afternoon: at(24, 15),
      tomorrow: at(25, 9),
      monday: at(30, 9),
    });
  });

  it('should have no afternoon that is about to begin, or over', () => {
    expect(choices(at(24, 13, 29))).to.have.property('afternoon');
    for (const now of [at(24, 13, 31), at(24, 15), at(24, 23, 30)])
      expect(choices(now)).not.to.have.property('afternoon');
  });

  it('should name Monday once, and mean the next one', () => {
    expect(choices(at(29, 12)))
      .to.include({ tomorrow: at(30, 9) })
      .and.not.to.have.property('monday');
    expect(choices(at(30, 12))).to.have.property('monday', new Date(2026, 11, 7, 9).getTime());
    expect(choices(at(28, 12))).to.have.property('monday', at(30, 9));
  });

  it('should be told with the day where it is another one', () => {
    const now = at(24, 10);
    expect(formatSnooze(at(24, 15), now)).to.equal('15:00');
    expect(formatSnooze(at(25, 9), now)).to.match(/^Wed,? 09:00$/);
    expect(formatSnooze(at(24, 9) + 10 * 24 * 3_600_000, now)).to.match(/^Fri,? 4 Dec,? .*09:00$/);
  });
});
