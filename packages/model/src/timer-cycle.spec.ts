import { expect } from 'chai';
import { computeFirstCycleTime, computeNextCycleTime, parseTimerCycle, type CycleTime } from './timer-cycle.js';

const NOW = Date.parse('2026-01-15T10:00:00Z');

function toPair(time: CycleTime | undefined): readonly [string, number | null] | undefined {
  return time === undefined ? undefined : [new Date(time.dueAt).toISOString().slice(0, 19), time.left];
}

/** Returns the times of a cycle that is armed at `NOW` and handled `delayMs` milliseconds after each time. */
function listTimes(text: string, count: number, delayMs = 0): ReturnType<typeof toPair>[] {
  const times: ReturnType<typeof toPair>[] = [];
  let time = computeFirstCycleTime(text, NOW);
  while (times.length < count && time !== undefined) {
    times.push(toPair(time));
    time = computeNextCycleTime(text, time.dueAt, time.left, time.dueAt + delayMs);
  }
  return times;
}

describe('repeating timers', () => {
  it('should count the repetitions of an interval', () => {
    expect(listTimes('R3/PT10S', 9)).to.deep.equal([
      ['2026-01-15T10:00:10', 2],
      ['2026-01-15T10:00:20', 1],
      ['2026-01-15T10:00:30', 0],
    ]);
  });

  it('should repeat without end', () => {
    for (const text of ['R/PT1H', 'R-1/PT1H']) {
      expect(listTimes(text, 2)).to.deep.equal([
        ['2026-01-15T11:00:00', null],
        ['2026-01-15T12:00:00', null],
      ]);
    }
  });

  it('should start at the start of the interval, or immediately when that has passed', () => {
    expect(listTimes('R5/2026-02-01T00:00:00Z/PT10M', 2)).to.deep.equal([
      ['2026-02-01T00:00:00', 4],
      ['2026-02-01T00:10:00', 3],
    ]);
    expect(listTimes('R2/2020-01-01T00:00:00+01:00/PT10M', 9)).to.deep.equal([
      ['2026-01-15T10:00:00', 1],
      ['2026-01-15T10:10:00', 0],
    ]);
  });

  it('should keep the schedule of a start in the past', () => {
    // Armed at 10:00, due immediately; then at :07, :22, :37 and :52.
    expect(listTimes('R/2025-11-15T18:07:00Z/PT15M', 4).map((time) => time?.[0].slice(11, 16))).to.deep.equal([
      '10:00',
      '10:07',
      '10:22',
      '10:37',
    ]);
    expect(listTimes('R3/2025-11-15T18:07:00Z/PT15M', 9)).to.deep.equal([
      ['2026-01-15T10:00:00', 2],
      ['2026-01-15T10:07:00', 1],
      ['2026-01-15T10:22:00', 0],
    ]);
    // Even if a time is handled late, or the interval is short and the start is thousands of years in the past.
    expect(listTimes('R/2025-11-15T18:07:00Z/PT15M', 3, 480_000).map((time) => time?.[0].slice(11, 16))).to.deep.equal([
      '10:00',
      '10:22',
      '10:37',
    ]);
    expect(listTimes('R/0001-01-01T00:00:00.001Z/PT1S', 2)[1]?.[0]).to.equal('2026-01-15T10:00:00');
    expect(computeFirstCycleTime('R/0001-01-01T00:00:00.001Z/PT1S', NOW)).to.deep.equal({ dueAt: NOW, left: null });
    expect(computeNextCycleTime('R/0001-01-01T00:00:00.001Z/PT1S', NOW, null, NOW)).to.deep.equal({
      dueAt: NOW + 1,
      left: null,
    });
  });

  it('should count months from the start, not from the previous clamped day', () => {
    expect(listTimes('R/2026-01-31T08:00:00Z/P1M', 4).map((time) => time?.[0].slice(0, 10))).to.deep.equal([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
    ]);
    expect(listTimes('R/2025-10-31T08:00:00Z/P1M', 3).map((time) => time?.[0].slice(0, 10))).to.deep.equal([
      '2026-01-15',
      '2026-01-31',
      '2026-02-28',
    ]);
  });

  it('should keep the local time of a zone across clock changes', () => {
    const daily = 'R/2026-03-27T08:00:00+01:00[Europe/Berlin]/P1D';
    expect(listTimes(daily, 4).map((time) => time?.[0].slice(5, 16))).to.deep.equal([
      '03-27T07:00',
      '03-28T07:00',
      '03-29T06:00',
      '03-30T06:00',
    ]);
    // Also from a start in the past and with weeks; hours and shorter units are exact.
    const now = Date.parse('2026-10-20T00:00:00Z');
    const findNextTime = (text: string): string =>
      new Date(computeNextCycleTime(text, now, null, Date.parse('2026-10-25T12:00:00Z'))?.dueAt ?? 0)
        .toISOString()
        .slice(5, 16);
    expect(findNextTime(daily)).to.equal('10-26T07:00');
    expect(findNextTime('R/2026-01-05T09:30:00+01:00[Europe/Berlin]/P1W')).to.equal('10-26T08:30');
    expect(findNextTime('R/2026-01-05T09:30:00+01:00[Europe/Berlin]/PT24H')).to.equal('10-26T08:30');
    expect(findNextTime('R/2026-07-05T09:30:00+02:00[Europe/Berlin]/PT24H')).to.equal('10-26T07:30');
    // The time that the change skips (02:30 on 29 March 2026) moves forward, and returns to 02:30 on the next day.
    const timesAtClockChange = listTimes('R/2026-03-28T02:30:00+01:00[Europe/Berlin]/P1D', 3).map((time) =>
      time?.[0].slice(5, 16),
    );
    expect(timesAtClockChange).to.deep.equal(['03-28T01:30', '03-29T01:30', '03-30T00:30']);
  });

  it('should count months in the local time of the start', () => {
    expect(listTimes('R/2026-03-01T00:00:00+01:00/P1M', 3).map((time) => time?.[0].slice(5, 16))).to.deep.equal([
      '02-28T23:00',
      '03-31T23:00',
      '04-30T23:00',
    ]);
    expect(listTimes('R/2026-01-31T00:30:00-0330[GMT-3]/P1M', 2)[1]?.[0].slice(5, 16)).to.equal('02-28T04:00');
    for (const zone of ['Z', 'UTC', 'GMT+1', '+0100', 'Europe/Berlin'])
      expect(listTimes(`R/2026-03-01T12:00:00Z[${zone}]/P1M`, 2)[1]?.[0].slice(5, 13), zone).to.match(/^04-01T1[12]$/);
  });

  it('should clamp monthly times to the length of the month', () => {
    expect(listTimes('R/2026-01-31T08:00:00Z/P1M', 2)).to.deep.equal([
      ['2026-01-31T08:00:00', null],
      ['2026-02-28T08:00:00', null],
    ]);
  });

  it('should count from the due time, not from the time of handling', () => {
    expect(listTimes('R/PT1H', 2, 60_000)[1]).to.deep.equal(['2026-01-15T12:00:00', null]);
    expect(listTimes('0 0 * * * *', 2, 60_000)[1]).to.deep.equal(['2026-01-15T12:00:00', null]);
  });

  it('should catch up on each missed time of a counted cycle', () => {
    const first = computeFirstCycleTime('R3/PT1H', NOW) as CycleTime;
    const later = NOW + 10 * 3_600_000;
    const second = computeNextCycleTime('R3/PT1H', first.dueAt, first.left, later) as CycleTime;
    expect(toPair(second)).to.deep.equal(['2026-01-15T12:00:00', 1]);
    const third = computeNextCycleTime('R3/PT1H', second.dueAt, second.left, later) as CycleTime;
    expect(toPair(third)).to.deep.equal(['2026-01-15T13:00:00', 0]);
    expect(computeNextCycleTime('R3/PT1H', third.dueAt, third.left, later)).to.equal(undefined);
  });

  it('should fire once for all missed times of an unlimited cycle', () => {
    const cases = [
      ['R/PT1H', '2026-01-16T21:00:00'],
      ['R/PT0.001S', '2026-01-16T20:30:00'],
      ['R/P1D', '2026-01-17T11:00:00'],
      ['R/P1M', '2026-02-15T11:00:00'],
      ['0 0 12 * * *', '2026-01-17T12:00:00'],
    ] as const;
    const previous = Date.parse('2026-01-15T11:00:00Z');
    const now = Date.parse('2026-01-16T20:30:00Z');
    for (const [text, expected] of cases) {
      expect(toPair(computeNextCycleTime(text, previous, null, now)), text).to.deep.equal([expected, null]);
    }
    // Missed for longer than an interval of months.
    const tenYearsLater = Date.parse('2036-01-16T20:30:00Z');
    expect(toPair(computeNextCycleTime('R/P1M', previous, null, tenYearsLater))).to.deep.equal([
      '2036-02-15T11:00:00',
      null,
    ]);
  });

  it('should never be due again at the current time', () => {
    const previous = Date.parse('2026-01-15T11:00:00Z');
    const now = Date.parse('2026-01-15T13:00:00Z');
    expect(toPair(computeNextCycleTime('R/PT1H', previous, null, now))).to.deep.equal(['2026-01-15T14:00:00', null]);
    expect(toPair(computeNextCycleTime('0 0 * * * *', previous, null, now))).to.deep.equal([
      '2026-01-15T14:00:00',
      null,
    ]);
  });

  for (const text of [
    '',
    'PT1H',
    'R',
    'R3',
    'R3/',
    'R0/PT1H',
    'R-2/PT1H',
    'R1.5/PT1H',
    'R3/PT0S',
    'R/-PT1H',
    'R/P-1D',
    'R3/1 hour',
    'R3/2026-01-01T00:00:00/PT1H',
    'R3/PT1H/2026-01-01T00:00:00Z',
    'R3/2026-01-01T00:00:00Z/2026-01-02T00:00:00Z',
    'r3/PT1H',
    'R/2026-01-01T00:00:00Z[Europe/Nowhere]/P1D',
    'R/2026-01-01T00:00:00Z[]/P1D',
    'R/2026-01-01T00:00:00Z[GMT+one]/P1D',
    'R/2026-01-01T00:00:00[Europe/Berlin]/P1D',
    '0 0 0 30 2 ?',
  ]) {
    it(`should refuse "${text}"`, () => {
      expect(parseTimerCycle(text)).to.equal(undefined);
      expect(computeFirstCycleTime(text, NOW)).to.equal(undefined);
    });
  }
});
