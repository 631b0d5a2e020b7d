import { expect } from 'chai';
import { evaluate as evaluateFeelin } from 'feelin';
import { evaluate } from './zeebe-cases.spec.support.js';

/** Intended differences from feelin, in which Countersign returns the same result as Zeebe. */
const INTENDED_DIFFERENCES: readonly {
  readonly reason: string;
  readonly when: (left: string, operator: string, right: string) => boolean;
}[] = [
  {
    reason: 'feelin treats a list of one item as the item',
    when: (left, operator, right) => ['=', '!='].includes(operator) && (isList(left) || isList(right)),
  },
  {
    reason: 'feelin returns false if the types have no order, Zeebe returns null',
    when: (left, operator, right) =>
      ['<', '<=', '>', '>='].includes(operator) &&
      !(isComparable(left) && isComparable(right) && isString(left) === isString(right)),
  },
];

const OPERANDS = [
  'null',
  'true',
  'false',
  '0',
  '1',
  '2.5',
  '-3',
  '"a"',
  '"b"',
  '""',
  '[]',
  '[1]',
  '[1, "a"]',
  '{}',
  '{a: 1}',
  'x',
  'y.z',
  'absent',
];
const VARIABLES = { x: 1, y: { z: 'a' } };
const OPERATORS = ['+', '-', '*', '/', '=', '!=', '<', '<=', '>', '>=', 'and', 'or'];

/**
 * Expressions for which Countersign and feelin follow DMN: control flow, filters, paths, and the builtins of feelin.
 */
const EXPRESSIONS = [
  'if x > 0 then "yes" else "no"',
  'if null then 1 else 2',
  'for i in 1..4 return i * i',
  'for i in 3..1 return i',
  'for i in [1, 2], j in [10, 20] return i + j',
  'for i in 1..2, j in 1..i return j',
  'for i in [] return i',
  'some i in [1, 2] satisfies i > 1',
  'every i in [1, 2] satisfies i > 0',
  'some i in [] satisfies true',
  'every i in [] satisfies false',
  '[1, 2, 3][2]',
  '[1, 2, 3][-1]',
  '[1, 2, 3][4]',
  '[1, 2, 3][item > 1]',
  '[{a: 1}, {a: 2}][a > 1]',
  '[{a: 1}, {a: 2}].a',
  '[{a: 1}, {b: 2}].a',
  '{a: 1, b: a + 1}',
  '{a: {b: [1, 2]}}.a.b[1]',
  '{f: function(a, b) a - b, r: f(5, 3)}.r',
  '{f: function(a, b) a - b, r: f(b: 5, a: 3)}.r',
  '2 ** 3',
  '2 ** 3 ** 2',
  '-2 ** 2',
  '10 - 2 - 3',
  '1 + 2 * 3',
  '(1 + 2) * 3',
  '7 / 2',
  '- x',
  '-(-1)',
  '1 in [1..3]',
  '3 in [1..3)',
  '1 in (1..3]',
  '2 in (1, 2)',
  '4 in (> 3)',
  '5 in (< 3, > 4)',
  '1 in [2, 3]',
  '"b" in ["a".."c"]',
  '2 between 1 and 3',
  '1 instance of number',
  '"a" instance of string',
  'true instance of boolean',
  '[1] instance of list',
  '{} instance of context',
  'null instance of number',
  'not(true)',
  'not(null)',
  'string length("foo")',
  'upper case("aB")',
  'lower case("aB")',
  'substring("foobar", 3)',
  'substring("foobar", 3, 3)',
  'substring("foobar", -2, 1)',
  'substring before("foobar", "bar")',
  'substring after("foobar", "ob")',
  'contains("foobar", "ob")',
  'starts with("foobar", "fo")',
  'ends with("foobar", "r")',
  'matches("foobar", "^fo*b")',
  'replace("abcd", "(ab)|(a)", "[1=$1][2=$2]")',
  'split("a;b;c", ";")',
  'string join(["a", "b"], ", ")',
  'list contains([1, 2], 2)',
  'count([1, 2])',
  'min([3, 1, 2])',
  'max(3, 1, 2)',
  'sum([1, 2, 3])',
  'mean([1, 2, 3])',
  'median(8, 2, 5, 3, 4)',
  'product([2, 3, 4])',
  'stddev(2, 4, 7, 5)',
  'mode([6, 3, 9, 6, 6])',
  'all([true, false])',
  'any([true, false])',
  'sublist([1, 2, 3], 2)',
  'sublist([1, 2, 3], 1, 2)',
  'append([1], 2, 3)',
  'concatenate([1], [2, 3])',
  'insert before([1, 3], 1, 2)',
  'remove([1, 2, 3], 2)',
  'reverse([1, 2, 3])',
  'index of([1, 2, 3, 2], 2)',
  'union([1, 2], [2, 3])',
  'distinct values([1, 2, 3, 2, 1])',
  'flatten([[1, 2], [[3]], 4])',
  'sort([3, 1, 2], function(a, b) a < b)',
  'decimal(1/3, 2)',
  'decimal(2.5, 0)',
  'floor(-1.5)',
  'ceiling(-1.5)',
  'abs(-1)',
  'modulo(-12, 5)',
  'sqrt(16)',
  'round up(-5.5, 0)',
  'round down(-5.5, 0)',
  'round half up(5.5, 0)',
  'round half down(5.5, 0)',
  'odd(5)',
  'even(-2)',
  'number("1 000,5", " ", ",")',
  'string(1.5)',
  'string(true)',
  'get value({a: 1}, "a")',
  'get entries({a: 1, b: 2})',
  'context put({a: 1}, "b", 2)',
  'context merge([{a: 1}, {a: 2}])',
  'before(1, 10)',
  'after([5..10], [1..5))',
  'meets([1..5], [5..10])',
  'met by([5..10], [1..5])',
  'overlaps([5..10], [1..6])',
  'includes([5..10], 6)',
  'date("2020-01-31") + duration("P1M")',
  'date("2020-01-01") < date("2020-01-02")',
  'date("2020-02-03").month',
  'date("2020-02-03").weekday',
  'string(duration("P1DT2H"))',
  'string(duration("P14M"))',
  'string(date and time("2020-01-01T10:00:00"))',
  'string(date and time("2020-01-01T10:00:00@Europe/Paris"))',
  'duration("PT1H") = duration("PT60M")',
  'day of year(date("2020-03-01"))',
  'day of week(date("2020-03-01"))',
  'week of year(date("2021-01-01"))',
];

function isList(operand: string): boolean {
  return operand.startsWith('[');
}

function isString(operand: string): boolean {
  return operand.startsWith('"') || operand === 'y.z';
}

function isComparable(operand: string): boolean {
  return isString(operand) || /^[-\d]|^x$/.test(operand);
}

function evaluateWithFeelin(expression: string): unknown {
  return normalize(evaluateFeelin(expression, VARIABLES).value);
}

function evaluateWithCountersign(expression: string): unknown {
  return normalize(evaluate(expression, VARIABLES));
}

/** Converts a value to JSON, with numbers rounded to 12 digits and without negative zero. */
function normalize(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, entry: unknown) =>
      typeof entry === 'number' ? Number(entry.toPrecision(12)) + 0 : entry,
    ),
  );
}

describe('FEEL compatibility with feelin', () => {
  for (const operator of OPERATORS) {
    it(`should match feelin for all operands of ${operator}, except for intended differences`, () => {
      for (const left of OPERANDS) {
        for (const right of OPERANDS) {
          if (INTENDED_DIFFERENCES.some(({ when }) => when(left, operator, right))) continue;
          const expression = `${left} ${operator} ${right}`;
          expect(evaluateWithCountersign(expression), expression).to.deep.equal(evaluateWithFeelin(expression));
        }
      }
    });
  }

  for (const expression of EXPRESSIONS) {
    it(`should match feelin: ${expression}`, () => {
      expect(evaluateWithCountersign(expression)).to.deep.equal(evaluateWithFeelin(expression));
    });
  }
});
