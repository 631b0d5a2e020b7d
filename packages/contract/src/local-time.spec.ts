import { expect } from 'chai';
import {
  formatUtcOffset,
  parseLocalTime,
  startOfLocalDay,
  toLocalTime,
  getUtcOffset,
  appendUtcOffset,
} from './local-time.js';

/** Returns the moments that match a local time, or the end of the gap that contains it. */
function describeLocalTime(text: string, zone?: string): string[] | string {
  const parsed = parseLocalTime(text, zone);
  if (parsed.kind === 'moments') return parsed.moments.map(toIso);
  return parsed.kind === 'skipped' ? `skipped until ${toIso(parsed.next)}` : parsed.kind;
}

function toIso(timestamp: number): string {
  return new Date(timestamp).toISOString().replace(':00.000Z', 'Z');
}

const AMBIGUOUS_TIMES: readonly (readonly [
  text: string,
  zone: string,
  first: string,
  second: string,
  offsets: string,
])[] = [
  ['2027-10-31T02:00', 'Europe/Berlin', '2027-10-31T00:00Z', '2027-10-31T01:00Z', 'UTC+02:00 UTC+01:00'],
  ['2027-10-31T02:59', 'Europe/Berlin', '2027-10-31T00:59Z', '2027-10-31T01:59Z', 'UTC+02:00 UTC+01:00'],
  ['2026-11-01T01:30', 'America/St_Johns', '2026-11-01T04:00Z', '2026-11-01T05:00Z', 'UTC-02:30 UTC-03:30'],
  // A change of half an hour.
  ['2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45Z', '2026-04-04T15:15Z', 'UTC+11:00 UTC+10:30'],
  // The last and the first hour of a day.
  ['2025-04-05T23:30', 'America/Santiago', '2025-04-06T02:30Z', '2025-04-06T03:30Z', 'UTC-03:00 UTC-04:00'],
  ['2025-11-02T00:30', 'America/Havana', '2025-11-02T04:30Z', '2025-11-02T05:30Z', 'UTC-04:00 UTC-05:00'],
];

const SKIPPED_TIMES: readonly (readonly [text: string, zone: string, next: string, local: string])[] = [
  ['2027-03-28T02:00', 'Europe/Berlin', '2027-03-28T01:00Z', '2027-03-28T03:00'],
  ['2027-03-28T02:59', 'Europe/Berlin', '2027-03-28T01:00Z', '2027-03-28T03:00'],
  ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:30Z', '2026-10-04T02:30'],
  ['2025-09-07T00:30', 'America/Santiago', '2025-09-07T04:00Z', '2025-09-07T01:00'],
  ['2025-04-25T00:00', 'Africa/Cairo', '2025-04-24T22:00Z', '2025-04-25T01:00'],
  ['2025-03-30T00:00', 'Asia/Beirut', '2025-03-29T22:00Z', '2025-03-30T01:00'],
  // A whole day, skipped when the zone moved across the date line.
  ['2011-12-30T00:00', 'Pacific/Apia', '2011-12-30T10:00Z', '2011-12-31T00:00'],
  ['2011-12-30T23:59', 'Pacific/Apia', '2011-12-30T10:00Z', '2011-12-31T00:00'],
];

describe('parseLocalTime', () => {
  it('should find both moments of a local time that occurs twice', () => {
    for (const [text, zone, first, second] of AMBIGUOUS_TIMES)
      expect(describeLocalTime(text, zone), zone).to.deep.equal([first, second]);
  });

  it('should find the end of the gap when the local time is skipped', () => {
    for (const [text, zone, next, local] of SKIPPED_TIMES) {
      expect(describeLocalTime(text, zone), zone).to.equal(`skipped until ${next}`);
      expect(toLocalTime(Date.parse(next), zone), zone).to.equal(local);
    }
  });

  it('should find a single moment immediately before and after a change of the offset', () => {
    expect(
      ['01:59', '03:00'].flatMap((time) =>
        ['03-28', '10-31'].map((day) => describeLocalTime(`2027-${day}T${time}`, 'Europe/Berlin')),
      ),
    ).to.deep.equal([['2027-03-28T00:59Z'], ['2027-10-30T23:59Z'], ['2027-03-28T01:00Z'], ['2027-10-31T02:00Z']]);
  });

  it('should find the original moment of a formatted local time around changes of the offset', () => {
    // given: every half hour of three days around a change
    for (const [text, zone] of [...AMBIGUOUS_TIMES, ...SKIPPED_TIMES]) {
      const start = Date.parse(`${text.slice(0, 10)}T00:00Z`) - 86_400_000;
      for (let at = start; at < start + 3 * 86_400_000; at += 1_800_000)
        // then
        expect(describeLocalTime(toLocalTime(at, zone), zone), zone).to.contain(toIso(at));
    }
  });

  it('should read seconds and fractions of a second', () => {
    expect(describeLocalTime('2027-10-31T02:30:15.250', 'Europe/Berlin')).to.deep.equal([
      '2027-10-31T00:30:15.250Z',
      '2027-10-31T01:30:15.250Z',
    ]);
  });

  it('should refuse a string that is not a valid date and time', () => {
    for (const text of ['', 'Monday', '2027-10-31', '2027-02-30T12:00', '2027-10-31T24:00', '12027-10-31T12:00'])
      expect(describeLocalTime(text, 'Europe/Berlin'), text).to.equal('invalid');
  });
});

describe('appendUtcOffset', () => {
  it('should distinguish the two moments of an ambiguous local time by their offsets', () => {
    for (const [text, zone, first, second, offsets] of AMBIGUOUS_TIMES) {
      const moments = [first, second].map(Date.parse);
      expect(moments.map((at) => toLocalTime(at, zone))).to.deep.equal([text, text]);
      expect(
        moments.map((at) => appendUtcOffset('then', at, zone)),
        zone,
      ).to.deep.equal(offsets.split(' ').map((offset) => `then ${offset}`));
    }
  });

  it('should not add an offset to a local time that occurs once', () => {
    for (const at of ['2027-10-30T23:59:59.999Z', '2027-10-31T02:00Z', '2027-03-28T01:00Z', '2026-07-15T22:05Z'])
      expect(appendUtcOffset('then', Date.parse(at), 'Europe/Berlin'), at).to.equal('then');
  });
});

describe('getUtcOffset and formatUtcOffset', () => {
  it("should return the offset of the machine's time zone if no zone is given", () => {
    const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    for (const at of ['2026-01-15T08:30Z', '2026-07-15T22:05Z'].map(Date.parse))
      expect(getUtcOffset(at)).to.equal(getUtcOffset(at, zone));
  });

  it('should format the offset with a sign for negative, zero and positive offsets', () => {
    const offsets = ['Pacific/Marquesas', 'UTC', 'Asia/Kathmandu'].map((zone) => formatUtcOffset(0, zone));
    expect(offsets).to.deep.equal(['UTC-09:30', 'UTC+00:00', 'UTC+05:30']);
  });

  it('should include the seconds of local mean time, before time zones existed', () => {
    expect(getUtcOffset(Date.parse('1850-01-01T00:00Z'), 'Europe/Berlin')).to.equal((53 * 60 + 28) * 1_000);
  });
});

describe('startOfLocalDay', () => {
  it('should return the first moment of the day, even if midnight is skipped or occurs twice', () => {
    expect(
      [
        ['2027-10-31', 'Europe/Berlin'],
        ['2025-09-07', 'America/Santiago'],
        ['2025-11-02', 'America/Havana'],
        ['2011-12-30', 'Pacific/Apia'],
      ].map(([day = '', zone]) => toIso(startOfLocalDay(day, zone))),
    ).to.deep.equal(['2027-10-30T22:00Z', '2025-09-07T04:00Z', '2025-11-02T04:00Z', '2011-12-30T10:00Z']);
    expect(startOfLocalDay('2027-02-30')).to.be.NaN;
  });
});
