import { expect } from 'chai';
import fc from 'fast-check';
import {
  compileExpression,
  compileUnaryTests,
  FeelLimitError,
  FeelSyntaxError,
  type FeelLimitName,
  type FeelLimits,
} from './index.js';

const LONG_TEXT = 'a'.repeat(100_000);
const VARIABLES = new Map<string, unknown>(
  Object.entries({
    text: LONG_TEXT,
    other: `${LONG_TEXT}b`,
    pattern: '(a|aa)+$',
    parts: Array.from({ length: 50_000 }, (_, i) => 1 + i / 7e9),
    list: Array.from({ length: 5_000 }, (_, i) => i),
    words: 'ab '.repeat(30_000),
  }),
);

function findExceededLimit(work: () => unknown): FeelLimitName | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof FeelLimitError) return error.limit;
    throw error;
  }
  return undefined;
}

function evaluate(source: string, limits?: Partial<FeelLimits>): unknown {
  return compileExpression(source).evaluate({ variables: VARIABLES, now: 0, ...(limits ? { limits } : {}) });
}

/** Returns an expression that doubles a value fifty times. */
function buildDoublingExpression(start: string, doubling: string): string {
  return `{f: function(s, n) if n = 0 then s else f(${doubling}, n - 1), r: f(${start}, 50)}.r`;
}

/** Returns a `for` expression with this number of iterators. */
function buildForExpression(count: number, result: string): string {
  return `for ${Array.from({ length: count }, (_, index) => `a${index} in [1]`).join(', ')} return ${result}`;
}

describe('limits of FEEL', () => {
  const expensiveExpressions: readonly (readonly [string, FeelLimitName])[] = [
    ['for i in 1..10000000 return i', 'steps'],
    ['for i in 1..1000, j in 1..1000, k in 1..1000 return i', 'steps'],
    ['count(for i in 1..99999 return for j in 1..99999 return 1)', 'steps'],
    ['some i in 1..99999, j in 1..99999 satisfies false', 'steps'],
    ['for i in 10**35..10**35 + 100 return 1', 'steps'],
    ['for i in 1..2000 return log(i)', 'steps'],
    ['for i in 1..20000 return 1.1 ** (i / 7)', 'steps'],
    ['for i in 1..9999 return modulo(i * 10**6000, 7.1)', 'steps'],
    ['list[list[item > 1] = list]', 'steps'],
    ['for i in 1..50000 return partial', 'steps'],
    ['distinct values(for i in 1..20000 return [i])', 'steps'],
    ['duplicate values(list)', 'steps'],
    ['for i in 1..99999 return contains(text, "b")', 'steps'],
    ['for i in 1..1000 return matches(other, pattern)', 'steps'],
    ['extract(text, "a.*b|a")', 'steps'],
    ['for i in 1..9999 return matches("a", "a" + string(i))', 'steps'],
    ['for i in 1..90000 return date and time(now(), "Europe/Paris")', 'steps'],
    ['for i in 1..99999 return upper case(text)', 'size'],
    ['replace(text, "a", "aaaaaaaaaaaaaaaaaaaaaaaaa")', 'size'],
    [buildDoublingExpression('"aaaa"', 's + s'), 'size'],
    [buildDoublingExpression('[1]', 'concatenate(s, s)'), 'size'],
    [buildDoublingExpression('[1]', '[s, s]'), 'size'],
    [`string(${buildDoublingExpression('{}', '{a: s, b: s}')})`, 'size'],
    [`flatten(${buildDoublingExpression('[1]', '[s, s]')})`, 'steps'],
    [`${buildDoublingExpression('[1]', '[s, s]')} = ${buildDoublingExpression('[1]', '[s, s]')}`, 'steps'],
    ['[sum(parts), sum(parts), mean(parts), product(parts)]', 'steps'],
    ['median(for i in 1..45000 return i / 7)', 'steps'],
    ['{f: function(n) f(n + 1), r: f(0)}.r', 'depth'],
    [`{f: function(n) if n = 0 then 1 else (${buildForExpression(60, 'f(n - 1)')})[1], r: f(20)}.r`, 'depth'],
    ['{f: function(g, n) g(g, n + 1), r: f(f, 0)}.r', 'depth'],
    ['for i in 1..5000 return [partial[-1]]', 'nesting'],
    ['context put({}, for i in 1..5000 return "a", 1)', 'nesting'],
    ['matches("a", string join(for i in 1..2000 return "a"))', 'pattern'],
    ['matches("a", "(abcdefghijklmnop){900}" + pattern)', 'pattern'],
  ];
  for (const [source, limit] of expensiveExpressions) {
    it(`should stop at the limit of ${limit}: ${source.slice(0, 90)}`, () => {
      expect(findExceededLimit(() => evaluate(source))).to.equal(limit);
    });
  }

  const deepExpressions: readonly (readonly [string, string])[] = [
    ['brackets', '('.repeat(60_000)],
    ['lists', '['.repeat(60_000)],
    ['contexts', '{a:'.repeat(20_000)],
    ['filters', 'a['.repeat(30_000)],
    ['calls', 'not('.repeat(15_000)],
    ['a chain of `and`', `${'a and '.repeat(300)}a`],
    ['a path', `a${'.a'.repeat(1_000)}`],
    ['iterators', buildForExpression(100, 'a99')],
    [
      'iterators of a quantified expression',
      buildForExpression(100, 'a99 > 0').replace('for', 'some').replace('return', 'satisfies'),
    ],
  ];
  for (const [construct, source] of deepExpressions) {
    it(`should refuse ${construct} nested too deeply`, () => {
      expect(findExceededLimit(() => compileExpression(source))).to.equal('nesting');
    });
  }

  for (const source of [
    '-'.repeat(60_000),
    '1+'.repeat(30_000),
    'if a then '.repeat(6_000),
    'function(a) '.repeat(5_000),
    'a '.repeat(30_000),
  ]) {
    it(`should refuse a very long ${source.slice(0, 12)}…`, () => {
      expect(() => compileExpression(source)).to.throw(FeelSyntaxError);
    });
  }

  it('should refuse an expression that is longer than 64 Ki characters', () => {
    expect(findExceededLimit(() => compileExpression('x'.repeat(65_537)))).to.equal('source');
    expect(findExceededLimit(() => compileUnaryTests('x'.repeat(65_537)))).to.equal('source');
  });

  it('should report the limit, its maximum and a stable error code', () => {
    const work = () => evaluate('for i in 1..100 return i', { steps: 50 });
    expect(work).to.throw(FeelLimitError, 'steps (at most 50)').with.property('code', 'feel_limit_exceeded');
  });

  it('should allow more steps if the caller raises the limit', () => {
    const source = 'count(for i in 1..200000 return i)';
    expect(findExceededLimit(() => evaluate(source))).to.equal('steps');
    expect(evaluate(source, { steps: 1_000_000 })).to.equal(200_000);
  });

  it('should need the same number of steps for each evaluation', () => {
    const source = 'matches(other, "b") and count(list[item > 4990 and matches(text, pattern)]) > 0';
    const findMinSteps = () => {
      let [fails, works] = [1, 10_000_000];
      while (works - fails > 1) {
        const steps = Math.floor((fails + works) / 2);
        if (findExceededLimit(() => evaluate(source, { steps })) === undefined) works = steps;
        else fails = steps;
      }
      return works;
    };
    expect(findMinSteps()).to.equal(findMinSteps());
  }).timeout(120_000);

  it('should evaluate ordinary expressions within the default limits', () => {
    expect(evaluate('count(list[item > 2500 and matches(string(item), "^[0-9]+$")])')).to.equal(2_499);
    expect(evaluate('sum(for i in list return i * 2)')).to.equal(24_995_000);
    expect(evaluate('count(split(words, " "))')).to.equal(30_001);
  });

  it('should compile and evaluate any string, or throw a FEEL error', () => {
    const pieces = fc.constantFrom(
      ...[
        '(',
        ')',
        '[',
        ']',
        '{',
        '}',
        ',',
        ':',
        '.',
        '..',
        '+',
        '-',
        '*',
        '**',
        '/',
        '=',
        '!=',
        '<',
        '>=',
        '"',
        '`',
        '?',
        '@',
        '//',
        '/*',
        '*/',
        '\\',
        '\n',
      ],
      ...[
        'a',
        'item',
        'partial',
        'x.y',
        '1',
        '2.5',
        'null',
        'true',
        '"t"',
        'if',
        'then',
        'else',
        'for',
        'in',
        'return',
        'some',
        'every',
        'satisfies',
        'and',
        'or',
      ],
      ...[
        'not',
        'between',
        'instance of',
        'function',
        'date',
        'get or else',
        'count',
        'number',
        'sum(',
        'sort(',
        'duration("P1D")',
        '[1..3]',
        '__proto__',
        'constructor',
      ],
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        for (const compile of [compileExpression, compileUnaryTests]) {
          try {
            const compiled = compile(text);
            const context = { variables: VARIABLES, now: 0, limits: { steps: 5_000, size: 5_000 } };
            if ('evaluate' in compiled) JSON.stringify(compiled.evaluate(context));
            else compiled.test(1, context);
          } catch (error) {
            if (!(error instanceof FeelSyntaxError || error instanceof FeelLimitError)) throw error;
          }
        }
      }),
      { numRuns: 2_000 },
    );
  }).timeout(30_000);
});
