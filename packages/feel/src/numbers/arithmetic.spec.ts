import { expect } from 'chai';
import type { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { DEFAULT_LIMITS, Run } from '../budget.js';
import { add, divide, modulo, multiply, subtract } from './arithmetic.js';
import { compareNumbers, Decimal128, FeelDecimal, fromDecimal, toDecimal, type FeelNumber } from './decimal.js';

/** Numbers as people write them, of all doubles, and around the bounds of the short ways. */
const numbers: fc.Arbitrary<number> = fc
  .oneof(
    fc.tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: -9, max: 3 })).map(([d, e]) => Number(`${d}e${e}`)),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 0, max: 18 })).map(([d, e]) => 10 ** e + d),
  )
  .map((value) => value + 0); // FEEL knows no negative zero

const OPERATIONS: readonly (readonly [
  name: string,
  operation: (run: Run, left: number, right: number) => FeelNumber | null,
  exact: (left: Decimal, right: Decimal) => Decimal,
])[] = [
  ['add', (_run, left, right) => add(left, right), (left, right) => left.plus(right)],
  ['subtract', (_run, left, right) => subtract(left, right), (left, right) => left.minus(right)],
  ['multiply', (_run, left, right) => multiply(left, right), (left, right) => left.times(right)],
  ['divide', (_run, left, right) => divide(left, right), (left, right) => left.dividedBy(right)],
  ['modulo', modulo, (left, right) => left.modulo(right)],
];

describe('arithmetic', () => {
  for (const [name, operation, exact] of OPERATIONS) {
    it(`should ${name} as the decimals do, by the short ways too`, () => {
      const run = new Run(new Map(), 0, 'UTC', { ...DEFAULT_LIMITS, steps: Number.MAX_SAFE_INTEGER });
      fc.assert(
        fc.property(numbers, numbers, (left, right) => {
          const result = operation(run, left, right);
          const expected = exact(new Decimal128(left), new Decimal128(right)).toSignificantDigits(34);
          if (!expected.isFinite()) expect(result).to.equal(null);
          else expect(result === null ? null : toDecimal(result).toString()).to.equal(expected.toString());
        }),
        { numRuns: 1_000 },
      );
    });
  }

  it('should give each number one form', () => {
    fc.assert(
      fc.property(numbers, numbers, (left, right) => {
        for (const [, operation] of OPERATIONS) {
          const result = operation(new Run(new Map(), 0, 'UTC', undefined), left, right);
          if (result === null) continue;
          if (typeof result === 'number') expect(Object.is(result, -0)).to.equal(false);
          else expect(new Decimal128(result.value.toNumber()).equals(result.value)).to.equal(false);
          const again = fromDecimal(toDecimal(result));
          expect(again === null ? null : compareNumbers(again, result)).to.equal(0);
          expect(again instanceof FeelDecimal).to.equal(result instanceof FeelDecimal);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('should order doubles as the decimals that they stand for', () => {
    fc.assert(
      fc.property(numbers, numbers, (left, right) => {
        const expected = new Decimal128(left).comparedTo(right);
        expect(Math.sign(compareNumbers(left, right))).to.equal(expected);
      }),
    );
  });
});
