import { expect } from 'chai';
import fc from 'fast-check';
import { isoTime } from './iso-time.js';

const YEAR_10000_MS = Date.UTC(10_000, 0, 1);

describe('isoTime', () => {
  it('should format every time as Date does', () => {
    const time = fc.oneof(
      fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 }),
      fc.integer({ min: 0, max: YEAR_10000_MS }),
      fc.integer({ min: 0, max: 200_000_000 }),
    );
    fc.assert(
      fc.property(fc.array(time, { minLength: 1 }), (times) => {
        // when
        const texts = times.map(isoTime);

        // then
        expect(texts).to.deep.equal(times.map((ms) => new Date(ms).toISOString()));
      }),
    );
  });

  for (const ms of [
    0,
    1,
    999,
    1_000,
    59_999,
    60_000,
    3_599_999,
    3_600_000,
    82_800_000,
    86_399_999,
    86_400_000,
    951_782_400_000,
    YEAR_10000_MS - 1,
    YEAR_10000_MS,
    -1,
    1.5,
    -0.5,
  ]) {
    it(`should format ${ms} as Date does`, () => {
      expect(isoTime(ms)).to.equal(new Date(ms).toISOString());
    });
  }

  it('should refuse an invalid time on every call', () => {
    for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, 9e15, Number.NaN])
      expect(() => isoTime(ms)).to.throw(RangeError);
  });
});
