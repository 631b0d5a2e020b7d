import { expect } from 'chai';
import { BUILTIN_NAMES, BUILTINS_BEYOND_ZEEBE_8_6, compileExpression } from './index.js';
import { evaluate } from './zeebe-cases.spec.support.js';

/** An expression, its result in Countersign, and its result in Zeebe 8.6.0. */
type Difference = readonly [expression: string, ours: unknown, zeebe: string];

const DIFFERENCES: Readonly<Record<string, readonly Difference[]>> = {
  'numbers have no trailing zeros': [['string(1.0)', '1', '1.0']],
  'results are JSON numbers, which hold fractions as doubles': [
    ['1/3', 0.3333333333333333, '0.3333333333333333333333333333333333'],
  ],
  'temporal values are exact to the millisecond': [['time("10:00:00.123456")', '10:00:00.123', '10:00:00.123456']],
  'now() is in UTC without a zone name, which depends on the machine on Zeebe': [
    ['now()', '2024-09-03T10:20:30Z', '2024-09-03T10:20:30Z[UTC]'],
    ['string(now())', '2024-09-03T10:20:30Z', '2024-09-03T10:20:30@UTC'],
  ],
  'calls that raise an incident on Zeebe by an internal exception return null': [
    ['substring("foobar", 10)', null, 'incident'],
    ['substring("foobar", -10)', null, 'incident'],
    ['modulo(1, 0)', null, 'incident'],
    ['log(0)', null, 'incident'],
    ['stddev([47])', null, 'incident'],
    ['[1] < [2]', null, 'incident'],
  ],
  'features of DMN that Zeebe 8.6 lacks are supported': [
    ['for i in 1..2, j in 1..i return j', [1, 1, 2], 'null'],
    ['for i in [1..3] return i', [1, 2, 3], 'invalid'],
    ['(function(x) x + 1)(2)', 3, 'invalid'],
    ['{f: function(x: number) x, r: f(1)}.r', 1, 'invalid'],
    ['{fac: function(n) if n <= 1 then 1 else n * fac(n - 1), r: fac(5)}.r', 120, 'null'],
    ['[1] instance of list<number>', true, 'invalid'],
    ['[1..3].end', 3, 'invalid'],
    ['1 in [[1..3], 5]', true, 'false'],
    ['is blank(" ")', true, 'null'],
    ['partition([1, 2, 3], 2)', [[1, 2], [3]], 'null'],
    ['list replace([1, 2, 3], 2, 9)', [1, 9, 3], 'null'],
    ['list replace([1, 2, 3], function(item, newItem) item > 1, 0)', [1, 0, 0], 'null'],
    ['is(1, 1)', true, 'null'],
    ['time(time("10:00:00"))', '10:00', 'null'],
  ],
  'texts can contain amounts with grouped digits': [['format money(1200, "EUR")', 'EUR 1,200.00', 'null']],
  'a character is a code point (DMN 1.3, table 73), not a UTF-16 unit': [
    ['string length("😀")', 1, '2'],
    ['string length("a😀é")', 3, '4'],
    ['substring("shop🚀 today", 1, 5)', 'shop🚀', 'shop and half a character'],
    ['substring("🚀🚀🚀", 2, 1)', '🚀', 'half a character'],
    ['substring("🚀🚀🚀", -1)', '🚀', 'half a character'],
    ['substring("🚀", 2)', '', 'half a character'],
    ['substring("🚀", 3)', null, 'incident'],
  ],
  'defects of Zeebe 8.6 are not reproduced': [
    ['remove([1, 2], 0)', [1, 2], '[1, 2, 1, 2]'],
    ['string(duration("PT0.5S"))', 'PT0.5S', 'P0D'],
  ],
};

/** Expressions that are always null on Zeebe are refused when the model is deployed. */
const REFUSED: readonly (readonly [expression: string, message: string])[] = [
  ['contain("a", "b")', 'Unknown function contain(); did you mean contains()?'],
  ['frobnicate(1)', 'Unknown function frobnicate()'],
  ['x(1)', 'Unknown function x()'],
  ['contains("a")', 'contains() was called with wrong arguments; use contains(string, match)'],
  ['contains(text: "a", match: "b")', 'contains() was called with wrong arguments'],
  ['matches(x, "(?=a)")', 'matches(): the pattern "(?=a)" is not supported by the linear-time engine (RE2)'],
  ['1 instance of text', "Unknown type 'text'"],
  ['? > 1', "'?' is the input of a unary test"],
  ['uuid()', 'a replayed run must get the same value'],
  ['random number()', 'a replayed run must get the same value'],
  // not in the grammar of @bpmn-io/lezer-feel
  ['all(true) = and([true])', 'use all(…)'],
  ['x.for', 'a keyword as a name needs backticks'],
  ['$x', 'need backticks'],
];

describe('FEEL differences from Zeebe 8.6', () => {
  for (const [reason, differences] of Object.entries(DIFFERENCES)) {
    describe(reason, () => {
      for (const [expression, expected, zeebe] of differences) {
        it(`should evaluate ${expression} (Zeebe: ${zeebe})`, () => {
          expect(evaluate(expression)).to.deep.equal(expected);
        });
      }
    });
  }

  it('should include all builtins that Zeebe 8.6 lacks', () => {
    expect(BUILTIN_NAMES).to.include.members([...BUILTINS_BEYOND_ZEEBE_8_6]);
  });

  it('should refuse a whole number that JSON cannot hold exactly (Zeebe: 9007199254740993)', () => {
    expect(() => evaluate('9007199254740993'))
      .to.throw('9007199254740993')
      .with.property('code', 'feel_number_not_exact');
  });

  for (const [expression, message] of REFUSED) {
    it(`should refuse ${expression}`, () => {
      expect(() => compileExpression(expression))
        .to.throw(message)
        .with.property('code', 'feel_syntax_error');
    });
  }
});
