import { expect } from 'chai';
import { compileUnaryTests } from './index.js';
import { evaluate } from './zeebe-cases.spec.support.js';

/** An expression, its result in decimal arithmetic, and its variables, whose numbers are JSON numbers as in a run. */
type DecimalCase = readonly [expression: string, answer: unknown, variables?: Readonly<Record<string, unknown>>];

const CASES: Readonly<Record<string, readonly DecimalCase[]>> = {
  'sums and differences': [
    ['8.41 - 8.4', 0.01],
    ['8.41 - 8.4 = 0.01', true],
    ['5.1 - 5', 0.1],
    ['100.1 - 100', 0.1],
    ['total - paid = 0.3', true, { total: 1000000.4, paid: 1000000.1 }],
    ['total - paid', 0.3, { total: 1000000000.4, paid: 1000000000.1 }],
    ['0.1 + 0.2 = 0.3', true],
    ['0.1 + 0.2 - 0.3', 0],
    ['0.1234567 + 0.0000001', 0.1234568],
    ['1.0000000000001 - 1', 1e-13],
    ['-0.1 - 0.2', -0.3],
    ['x - y', 0.000001, { x: 1e-6, y: 0 }],
    ['x + y', 5e-324, { x: 5e-324, y: 0 }],
    ['x + y = x', true, { x: 1e300, y: 1e200 }],
  ],
  'products': [
    ['1.1 * 1.1', 1.21],
    ['19.99 * 3', 59.97],
    ['price * 0.19', 1.9, { price: 10 }],
    ['1.005 * 100', 100.5],
    ['0.000001 * 0.000001', 1e-12],
    ['-0.1 * 0', 0],
    ['3 * (1 / 3) = 1', false],
    ['3 * (1 / 3)', 1],
    ['1.1 ** 2', 1.21],
    ['0.1 ** 3', 0.001],
    ['2 ** 10', 1024],
    ['2 ** -1', 0.5],
    ['4 ** 0.5', 2],
    ['10 ** 20', 1e20],
    ['0 ** -1', null],
    ['(-8) ** 0.5', null],
    ['string(10 ** -6145)', '1E-6145'],
    ['string((-10) ** -6175)', '-1E-6175'],
    ['string(10 ** -6177)', '0'],
    ['10 ** 6145', null],
  ],
  'quotients': [
    ['0.7 / 0.1', 7],
    ['4.35 / 0.05', 87],
    ['floor(0.7 / 0.1)', 7],
    ['1 / 3', 1 / 3],
    ['string(1 / 3)', '0.3333333333333333333333333333333333'],
    ['string(2 / 3)', '0.6666666666666666666666666666666667'],
    ['2 / 3 > 0.6666666666666666', true],
    ['0 / 5', 0],
    ['0 / -5', 0],
    ['1 / 0', null],
    ['1 / (0.3 - 0.1 * 3)', null],
    ['duration("PT1H") / duration("PT3H") * 3 = 1', false],
    ['duration("P3Y") / duration("P1Y6M")', 2],
    ['duration("P1D") * (9 / 3)', 'PT72H'],
    ['duration("P3D") / (10 / 3)', 'PT24H'],
  ],
  'remainders and roundings': [
    ['modulo(0.3, 0.1)', 0],
    ['modulo(19.95, 0.05)', 0],
    ['modulo(-0.7, 0.2)', 0.1],
    ['modulo(0.7, -0.2)', -0.1],
    ['modulo(5.5, 2)', 1.5],
    ['modulo(1, 0)', null],
    ['modulo(-4, 2)', 0],
    ['floor(1 / 3 * 3)', 0],
    ['floor(-1.5)', -2],
    ['floor(1.239, 2)', 1.23],
    ['ceiling(8.41 - 8.4, 2)', 0.01],
    ['round half up(1.005, 2)', 1.01],
    ['round half up(-1.005, 2)', -1.01],
    ['round half down(1.005, 2)', 1],
    ['round up(1.1 * 1.1, 2)', 1.21],
    ['round down(4.35 * 100, 0)', 435],
    ['decimal(1 / 3, 20) = 0.33333333333333333333', true],
    ['decimal(2.5, 0)', 2],
    ['decimal(3.5, 0)', 4],
    ['decimal(1250, -2)', 1200],
    ['round half up(1250, -2)', 1300],
    ['round half up(5, -2)', 0],
    ['round up(5, -2)', 100],
    ['round up(0, -2)', 0],
    ['round up(number("1e-6000"), -20)', 1e20],
    ['round down(number("1e-6000"), -300)', 0],
    ['floor(-number("1e-6000"), -2)', -100],
    ['ceiling(-number("1e-6000"), -300)', 0],
    ['decimal(1, 6177)', null],
    ['decimal(x, 2)', 1e300, { x: 1e300 }],
    ['abs(1 / -3)', 1 / 3],
    ['abs(-0.1)', 0.1],
    ['odd(10 ** 30 + 1)', true],
    ['even(10 ** 30)', true],
    ['odd(-3)', true],
  ],
  'aggregates': [
    ['sum(for i in 1..100 return 0.1)', 10],
    ['sum(for i in 1..1000 return 0.01) = 10', true],
    ['sum([0.1, 0.2, 0.3, -0.6])', 0],
    ['sum(amounts)', 0.6, { amounts: [0.1, 0.2, 0.3] }],
    ['mean(for i in 1..100 return 0.1)', 0.1],
    ['mean([0.1, 0.2])', 0.15],
    ['mean(1, 1, 2) * 3 = 4', false],
    ['median([0.1, 0.2])', 0.15],
    ['median([1/3, 1/7, 1/2]) = 1/3', true],
    ['product([0.1, 0.1, 0.1])', 0.001],
    ['stddev([0.1, 0.1, 0.1])', 0],
    ['stddev([1.1, 1.3])', 0.1414213562373095],
    ['min([1/3, 0.3333333333333333]) = 0.3333333333333333', true],
    ['max([1/3, 0.3333333333333333]) = 1/3', true],
    ['mode([0.1 + 0.2, 0.3, 1/3, 1/3, 7])', [0.3, 1 / 3]],
    ['sqrt(0.01)', 0.1],
    ['sqrt(2) * sqrt(2) = 2', true],
    ['sqrt(3) * sqrt(3) = 3', false],
    ['exp(0)', 1],
    ['log(exp(1))', 1],
    ['log(0)', null],
    ['sqrt(-1)', null],
  ],
  'numbers with more digits than a double holds': [
    ['9007199254740993 = 9007199254740992', false],
    ['9007199254740993 > 9007199254740992', true],
    ['9007199254740993 - 9007199254740992', 1],
    ['9007199254740992 + 1 = 9007199254740993', true],
    ['string(9007199254740993)', '9007199254740993'],
    ['string(-9007199254740993)', '-9007199254740993'],
    ['number("9007199254740993") = 9007199254740993', true],
    ['number("0.12345678901234567890") = 0.1234567890123456789', true],
    ['string(number("12 345 678 901 234 567,89", " ", ","))', '12345678901234567.89'],
    ['string(2 ** 64)', '18446744073709551616'],
    ['string(0.1234567890123456789)', '0.1234567890123456789'],
    ['string(12345678901234567890123456789012345678)', '12345678901234567890123456789012350000'],
    ['string([9007199254740993])', '[9007199254740993]'],
    ['1/3 = 1/3', true],
    ['1/3 != 1/3', false],
    ['1/3 = 0.3333333333333333', false],
    ['0.3333333333333333 = 1/3', false],
    ['1/3 != 2', true],
    ['2 != 1/3', true],
    ['x = 5', false, { x: null }],
    ['(if flag then 1/3 else 2) = 2', false, { flag: true }],
    ['(if flag then 1/3 else 2) != 2', true, { flag: true }],
    ['(if flag then 1/3 else 2) < 1', true, { flag: true }],
    ['(if flag then 1/3 else 2) >= 1', false, { flag: true }],
    ['1/3 = "a"', null],
    ['1/3 = true', null],
    ['1/3 = null', false],
    ['"a" < 1/3', null],
    ['1/3 between 0.3 and 0.4', true],
    ['1/3 in [0.3..0.4]', true],
    ['1/3 in (0.5, 1/3)', true],
    ['1/3 in (> 0.4)', false],
    ['(1/3) instance of number', true],
    ['(1/3) instance of context', false],
    ['-(1/3) + 1/3', 0],
    ['list contains([1/3, 2], 1/3)', true],
    ['distinct values([1/3, 1/3, 0.5])', [1 / 3, 0.5]],
    ['index of([1, 1/3], 1/3)', [2]],
    ['is(1/3, 1/3)', true],
    ['is(1/3, 2)', false],
    ['["a", "b", "c", "d"][10 / 3]', 'c'],
    ['["a", "b", "c", "d"][i / 3]', 'c', { i: 10 }],
    ['sublist([1, 2, 3, 4], 7 / 3, 10 / 3 - 1)', [2, 3]],
    ['insert before(["a", "b"], 7 / 3, "x")', ['a', 'x', 'b']],
    ['remove(["a", "b", "c"], 7 / 3)', ['a', 'c']],
    ['partition([1, 2, 3], 7 / 3)', [[1, 2], [3]]],
    ['substring("abcdef", 10 / 3, 7 / 3)', 'cd'],
    ['date(2024, 10 / 3, 7 / 3)', '2024-03-02'],
    ['time(10, 20, 91 / 3)', '10:20:30.333'],
    ['time(10, 20, 30.001)', '10:20:30.001'],
    ['time(23, 59, 59.9999999)', '23:59:59.999'],
    ['time(10, 20, 59.99999999999999999999)', '10:20:59.999'],
    ['time(23.99999999999999999999, 59.99999999999999999999, 0)', '23:59'],
    ['time(10, 20, 60)', null],
    ['time(10, -1 / 3, 0)', null],
    ['for i in 1/3..3 return floor(i)', [0, 1, 2]],
    ['cycle(10 / 3, duration("PT1H"))', 'R3/PT1H'],
    ['cycle(10 ** 21, duration("PT1H"))', null],
    ['cycle(10 ** 400, duration("PT1H"))', null],
    ['duration("PT0S") * 10 ** 400', 'PT0S'],
    ['duration("P1D") * 10 ** 400', null],
    ['sort([1/3, 0.2, 0.5], function(a, b) a < b)', [0.2, 1 / 3, 0.5]],
    ['{a: 1/3}.a * 3', 1],
  ],
};

describe('FEEL arithmetic with 34 decimal digits', () => {
  for (const [category, cases] of Object.entries(CASES)) {
    describe(category, () => {
      for (const [expression, expected, variables] of cases) {
        it(`should evaluate ${expression}${variables ? ` with ${JSON.stringify(variables)}` : ''}`, () => {
          expect(evaluate(expression, variables)).to.deep.equal(expected);
        });
      }
    });
  }

  it('should compare the input of a unary test as a decimal', () => {
    // given
    const input = evaluate('x', { x: 1000000.4 });
    const context = { variables: new Map([['paid', 1000000.1]]), now: 0 };

    // then
    expect(compileUnaryTests('? - paid = 0.3').test(input, context)).to.equal(true);
    expect(compileUnaryTests('[1000000.1 + 0.3..1000000.5 - 0.1]').test(input, context)).to.equal(true);
  });

  describe('numbers in results', () => {
    for (const expression of [
      '9007199254740993',
      'x + 1',
      '[1, [x + 1]]',
      '{account: x + 1}',
      '-8202522731445525542',
      '2 ** 60',
      '10 ** 400',
      '10 ** -400',
      '10 ** -323 / 3',
      '12345678901234567890 * 10 ** 13 + 1',
      '10 ** 6000 / 3',
      'number("9007199254740993")',
    ]) {
      it(`should refuse ${expression}, because JSON would change the number`, () => {
        expect(() => evaluate(expression, { x: 2 ** 53 }))
          .to.throw('JSON cannot hold exactly')
          .with.property('code', 'feel_number_not_exact');
      });
    }

    it('should return whole numbers of any size that a double holds exactly', () => {
      for (const number of [9007199254740991, 9007199254740992, 9007199254740994, 1e20, 123456789e30])
        expect(evaluate('x + 1 - 1', { x: number })).to.equal(number);
    });

    it('should round fractions to the nearest double', () => {
      expect(evaluate('0.1234567890123456789')).to.equal(0.12345678901234568);
      expect(evaluate('10 ** 30 / 7')).to.equal(1e30 / 7);
      // A number with more than 34 digits before the decimal point is rounded like any quotient.
      expect(evaluate('10 ** 40 / 7')).to.equal(Number('1.428571428571428571428571428571429e39'));
      expect(evaluate('exp(100)')).to.be.closeTo(Math.exp(100), 1e30);
    });

    it('should limit the number in the error message to 100 characters', () => {
      expect(() => evaluate('10 ** 6000')).to.throw(/number 10{99},/);
    });
  });
});
