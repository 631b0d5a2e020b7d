import { expect } from 'chai';
import type { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { DEFAULT_LIMITS, EvaluationState } from '../budget.js';
import { add, divide, modulo, multiply, product, subtract, sum } from './arithmetic.js';
import {
  compareNumbers,
  Decimal128,
  FeelDecimal,
  fromDecimal,
  repairDecimalLibrary,
  toDecimal,
  type FeelNumber,
} from './decimal.js';

/** Numbers as people write them, arbitrary doubles, and numbers around the bounds of the fast paths. */
const numbers: fc.Arbitrary<number> = fc
  .oneof(
    fc.tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: -9, max: 3 })).map(([d, e]) => Number(`${d}e${e}`)),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 0, max: 18 })).map(([d, e]) => 10 ** e + d),
  )
  .map((value) => value + 0); // FEEL has no negative zero

const OPERATIONS: readonly (readonly [
  name: string,
  operation: (state: EvaluationState, left: number, right: number) => FeelNumber | null,
  exact: (left: Decimal, right: Decimal) => Decimal,
])[] = [
  ['add', (_state, left, right) => add(left, right), (left, right) => left.plus(right)],
  ['subtract', (_state, left, right) => subtract(left, right), (left, right) => left.minus(right)],
  ['multiply', (_state, left, right) => multiply(left, right), (left, right) => left.times(right)],
  ['divide', (_state, left, right) => divide(left, right), (left, right) => left.dividedBy(right)],
  ['modulo', modulo, (left, right) => left.modulo(right)],
];

describe('repairDecimalLibrary', () => {
  afterEach(repairDecimalLibrary);

  const computeThird = (): string => new Decimal128(1).dividedBy(3).toString();

  it('should restore the precision and the rounding of the library', () => {
    // given
    Decimal128.set({ precision: 44, rounding: Decimal128.ROUND_UP });
    expect(computeThird()).not.to.equal('0.3333333333333333333333333333333333');

    // when
    repairDecimalLibrary();

    // then
    expect(computeThird()).to.equal('0.3333333333333333333333333333333333');
  });

  it('should repair the library after a stack overflow at any depth', () => {
    const callAtDepth = (frames: number, work: () => number): number =>
      frames === 0 ? work() : callAtDepth(frames - 1, work) + 0;
    const measureStackDepth = (): number => {
      let frames = 0;
      const recurse = (): void => {
        frames += 1;
        recurse();
      };
      expect(recurse).to.throw(RangeError);
      return frames;
    };
    for (let frames = measureStackDepth() * 2; frames > 100; frames = Math.floor(frames * 0.99)) {
      // when
      try {
        callAtDepth(frames, () => new Decimal128('1.2').ln().toNumber());
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
      repairDecimalLibrary();

      // then
      expect(computeThird()).to.equal('0.3333333333333333333333333333333333');
      expect(new Decimal128('1.234567890123').pow(4).toString()).to.equal('2.323057228908377216559556081031937');
    }
  });
});

describe('arithmetic', () => {
  for (const [name, operation, exact] of OPERATIONS) {
    it(`should compute ${name} exactly like Decimal128, including the fast paths`, () => {
      const state = new EvaluationState(new Map(), 0, 'UTC', { ...DEFAULT_LIMITS, steps: Number.MAX_SAFE_INTEGER });
      fc.assert(
        fc.property(numbers, numbers, (left, right) => {
          const result = operation(state, left, right);
          const expected = exact(new Decimal128(left), new Decimal128(right)).toSignificantDigits(34);
          if (!expected.isFinite()) expect(result).to.equal(null);
          else expect(result === null ? null : toDecimal(result).toString()).to.equal(expected.toString());
        }),
        { numRuns: 1_000 },
      );
    });
  }

  it('should represent each number in only one form', () => {
    fc.assert(
      fc.property(numbers, numbers, (left, right) => {
        for (const [, operation] of OPERATIONS) {
          const result = operation(new EvaluationState(new Map(), 0, 'UTC', undefined), left, right);
          if (result === null) continue;
          if (typeof result === 'number') expect(Object.is(result, -0)).to.equal(false);
          else expect(new Decimal128(result.value.toNumber()).equals(result.value)).to.equal(false);
          const normalized = fromDecimal(toDecimal(result));
          expect(normalized === null ? null : compareNumbers(normalized, result)).to.equal(0);
          expect(normalized instanceof FeelDecimal).to.equal(result instanceof FeelDecimal);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('should order doubles like the decimals that they represent', () => {
    fc.assert(
      fc.property(numbers, numbers, (left, right) => {
        const expected = new Decimal128(left).comparedTo(right);
        expect(Math.sign(compareNumbers(left, right))).to.equal(expected);
      }),
    );
  });

  it('should sum and multiply lists like successive single operations', () => {
    const longNumbers = fc
      .tuple(numbers, fc.constantFrom(1, 3, 7))
      .map(([value, divisor]) => divide(value, divisor) ?? 0);
    const applySequentially = (
      values: readonly FeelNumber[],
      start: number,
      operation: typeof add,
    ): FeelNumber | null =>
      values.reduce<FeelNumber | null>((total, value) => (total === null ? null : operation(total, value)), start);
    fc.assert(
      fc.property(fc.array(fc.oneof(numbers, longNumbers), { maxLength: 20 }), (values) => {
        expect(sum(values)).to.deep.equal(applySequentially(values, 0, add));
        expect(product(values)).to.deep.equal(applySequentially(values, 1, multiply));
      }),
    );
  });
});
