import { expect } from 'chai';
import { addIsoDuration, endsInRange, parseIsoDate, parseIsoDuration } from './iso-8601.js';

function addDuration(start: string, duration: string): string | undefined {
  const parsed = parseIsoDuration(duration);
  const from = parseIsoDate(start);
  if (parsed === undefined || from === undefined) throw new Error('not parsed');
  const result = addIsoDuration(from, parsed);
  return result === undefined ? undefined : new Date(result).toISOString();
}

describe('iso-8601', () => {
  describe('durations', () => {
    it('should add every unit', () => {
      expect(addDuration('2026-01-01T00:00:00Z', 'P1Y2M1W3DT4H5M6.789S')).to.equal('2027-03-11T04:05:06.789Z');
    });

    it('should clamp the day to the length of the month', () => {
      expect(addDuration('2026-01-31T10:00:00Z', 'P1M')).to.equal('2026-02-28T10:00:00.000Z');
      expect(addDuration('2024-02-29T10:00:00Z', 'P1Y')).to.equal('2025-02-28T10:00:00.000Z');
      expect(addDuration('2026-12-31T00:00:00Z', 'P2M')).to.equal('2027-02-28T00:00:00.000Z');
    });

    it('should subtract a negative duration', () => {
      expect(addDuration('2026-03-31T00:00:00Z', '-P1MT1S')).to.equal('2026-02-27T23:59:59.000Z');
    });

    it('should parse negative durations in the notations of java.time and FEEL', () => {
      expect(parseIsoDuration('PT-1H-30M')).to.deep.equal(parseIsoDuration('-PT1H30M'));
      expect(addDuration('2026-01-02T00:00:00Z', 'P-1DT-0.5S')).to.equal('2025-12-31T23:59:59.500Z');
    });

    it('should not accumulate errors of binary fractions', () => {
      expect(addDuration('2026-01-01T00:00:00Z', 'PT0.29S')).to.equal('2026-01-01T00:00:00.290Z');
      expect(addDuration('2026-01-01T00:00:00Z', 'PT0,001S')).to.equal('2026-01-01T00:00:00.001Z');
    });

    it('should return undefined when the result is beyond the range of dates', () => {
      expect(addDuration('2026-01-01T00:00:00Z', 'P999999999Y')).to.equal(undefined);
      expect(addDuration('2026-01-01T00:00:00Z', 'P999999999D')).to.equal(undefined);
    });

    it('should return the first and the last supported instant, but undefined beyond them', () => {
      expect(addDuration('9999-12-31T23:59:58.999Z', 'PT1S')).to.equal('9999-12-31T23:59:59.999Z');
      expect(addDuration('9999-12-31T23:59:59Z', 'PT1S')).to.equal(undefined);
      expect(addDuration('2026-01-01T00:00:00Z', 'P9000Y')).to.equal(undefined);
      expect(addDuration('0001-01-01T00:00:01Z', '-PT1S')).to.equal('0001-01-01T00:00:00.000Z');
      expect(addDuration('0001-01-01T00:00:00Z', '-PT0.001S')).to.equal(undefined);
    });

    it('should recognize durations that end in the years 1 to 9999', () => {
      const durationEndsInRange = (text: string): boolean => endsInRange(parseIsoDuration(text)!);
      expect(['PT0S', 'P7000Y', '-P2000Y'].map(durationEndsInRange)).to.deep.equal([true, true, true]);
      expect(['P7800Y', 'P9000Y', 'P999999999D', '-P2200Y'].map(durationEndsInRange)).to.deep.equal(
        Array(4).fill(false),
      );
    });

    for (const text of [
      '',
      'P',
      'PT',
      'P1',
      '1D',
      'P1DT',
      'PT1D',
      'P1H',
      'PT1.5H',
      'P-1DT1H',
      'P1DT-1H',
      '-PT-1H',
      'P1Y1Y',
      'R3/PT1H',
      'PT1S ago',
    ]) {
      it(`should refuse "${text}"`, () => {
        expect(parseIsoDuration(text)).to.equal(undefined);
      });
    }
  });

  describe('dates', () => {
    const dates = [
      ['2026-11-21T12:00:00Z', '2026-11-21T12:00:00.000Z'],
      ['2026-11-21T12:00:00.5Z', '2026-11-21T12:00:00.500Z'],
      ['2026-11-21T12:00+02:00', '2026-11-21T10:00:00.000Z'],
      ['2026-11-21T23:30:15.123456-0330', '2026-11-22T03:00:15.123Z'],
      ['2026-07-01T12:00:00+02:00[Europe/Berlin]', '2026-07-01T10:00:00.000Z'],
      ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
      ['0050-01-01T00:00:00Z', '0050-01-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
      ['9999-12-31T23:59:59-05:00', '9999-12-31T23:59:59.999Z'],
      ['9999-12-31T23:59:59-18:00', '9999-12-31T23:59:59.999Z'],
      ['9999-12-31T23:59:59+05:00', '9999-12-31T18:59:59.000Z'],
      ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
      ['0001-01-01T00:00:00+05:00', '0001-01-01T00:00:00.000Z'],
      ['0001-01-01T00:00:00-05:00', '0001-01-01T05:00:00.000Z'],
    ] as const;
    for (const [text, expected] of dates) {
      it(`should read ${text}`, () => {
        expect(new Date(parseIsoDate(text) ?? Number.NaN).toISOString()).to.equal(expected);
      });
    }

    for (const text of [
      '',
      '2026-11-21',
      '2026-11-21T12:00:00',
      '2026-02-29T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-01-01T24:00:00Z',
      '2026-01-01T00:60:00Z',
      '2026-01-01T00:00:60Z',
      '2026-01-01T00:00:00+19:00',
      '+999999-01-01T00:00:00Z',
      '+010000-01-01T00:00:00Z',
      '+010000-01-01T00:00:00+05:00',
      '0000-12-31T23:59:59Z',
      '-000001-01-01T00:00:00Z',
      'tomorrow',
    ]) {
      it(`should refuse "${text}"`, () => {
        expect(parseIsoDate(text)).to.equal(undefined);
      });
    }
  });
});
