import { expect } from 'chai';
import {
  compileExpression,
  compileUnaryTests,
  FeelAssertionError,
  FeelSyntaxError,
  type FeelContext,
} from './index.js';

const NOW = Date.UTC(2024, 8, 3, 22, 20, 30);

function createContext(
  variables: Readonly<Record<string, unknown>> = {},
  overrides: Partial<FeelContext> = {},
): FeelContext {
  return { variables: new Map(Object.entries(variables)), now: NOW, ...overrides };
}

function findSyntaxError(source: string): FeelSyntaxError {
  try {
    compileExpression(source);
  } catch (error) {
    if (error instanceof FeelSyntaxError) return error;
    throw error;
  }
  throw new Error(`${source} compiles`);
}

describe('compileExpression', () => {
  describe('reads', () => {
    const cases: readonly (readonly [string, readonly (readonly string[])[]])[] = [
      ['approval.decision = "approve" and x > 1', [['approval', 'decision'], ['x']]],
      ['order', [['order']]],
      ['order.total + count(order)', [['order', 'total'], ['order']]],
      [
        'a.b.c + a.b',
        [
          ['a', 'b', 'c'],
          ['a', 'b'],
        ],
      ],
      ['for i in items return i.price * rate', [['items'], ['rate']]],
      ['items[price > limit]', [['items'], ['price'], ['limit']]],
      ['{a: x, b: a}', [['x']]],
      ['{f: function(p) p + q, r: f(1)}', [['q']]],
      ['`a b`.`c d`', [['a b', 'c d']]],
      ['1 + 2', []],
      ['orders[1].total', [['orders']]],
    ];
    for (const [source, reads] of cases) {
      it(`should list the variable paths in ${source}`, () => {
        expect(compileExpression(source).reads).to.deep.equal(reads);
      });
    }
  });

  describe('syntax errors', () => {
    const cases: readonly (readonly [string, number, number, string])[] = [
      ['', 1, 1, 'The expression is empty'],
      ['1 +', 1, 4, 'Unexpected end of the expression'],
      ['if x then 1', 1, 12, "'if' needs 'else'"],
      ['1 +\n  * 2', 2, 3, "Unexpected '*'"],
      ['order total', 1, 1, 'needs backticks: `order total`'],
      ['x == 1', 1, 4, "equality is written '='"],
      ["x = 'a'", 1, 5, 'double quotes'],
      ['1 < 2 < 3', 1, 7, 'cannot be chained'],
      ['1e3', 1, 1, 'without an exponent'],
      ['{constructor: 1}', 1, 2, "'constructor' cannot be a key"],
      ['> 3', 1, 1, 'needs a left operand'],
      ['function(x) external {a: 1}', 1, 1, 'External functions'],
    ];
    for (const [source, line, column, reason] of cases) {
      it(`should report the reason and the position for ${JSON.stringify(source)}`, () => {
        const syntaxError = findSyntaxError(source);
        expect(syntaxError.reason).to.contain(reason);
        expect(syntaxError.position).to.include({ line, column });
        expect(syntaxError.message).to.contain(`line ${line}, column ${column}`);
      });
    }
  });

  it('should read variables from any object with a `get()` method', () => {
    const readNames: string[] = [];
    const variables = {
      get: (name: string) => {
        readNames.push(name);
        return name === 'x' ? { y: 5 } : undefined;
      },
    };
    expect(compileExpression('x.y + 1').evaluate({ variables, now: NOW })).to.equal(6);
    expect(readNames).to.deep.equal(['x']);
  });

  it('should return a variable without copying it', () => {
    const order = { lines: [1, 2] };
    expect(compileExpression('order').evaluate(createContext({ order }))).to.equal(order);
  });

  it('should not let callers modify the constants of an expression', () => {
    const list = compileExpression('[1, 2, [3]]');
    (list.evaluate(createContext()) as unknown[]).push('changed');
    expect(list.evaluate(createContext())).to.deep.equal([1, 2, [3]]);
  });

  it('should take `now()` and `today()` from the context, in its time zone', () => {
    expect(compileExpression('now()').evaluate(createContext())).to.equal('2024-09-03T22:20:30Z');
    expect(compileExpression('now()').evaluate(createContext({}, { zone: 'Europe/Paris' }))).to.equal(
      '2024-09-04T00:20:30+02:00[Europe/Paris]',
    );
    expect(compileExpression('today()').evaluate(createContext({}, { zone: 'Europe/Paris' }))).to.equal('2024-09-04');
    expect(() => compileExpression('now()').evaluate(createContext({}, { zone: 'Mars/Base' }))).to.throw(RangeError);
  });

  it('should compute without binary rounding errors', () => {
    expect(compileExpression('0.1 + 0.2 = 0.3').evaluate(createContext())).to.equal(true);
    expect(compileExpression('1.1 * 100').evaluate(createContext())).to.equal(110);
    expect(compileExpression('x * 3').evaluate(createContext({ x: 0.1 }))).to.equal(0.3);
    expect(compileExpression('1/3 + 1/3').evaluate(createContext())).to.equal(2 / 3);
  });

  it('should let a function capture the variable of its iteration', () => {
    const source = '{fs: for i in [1, 2] return function(x) x + i, r: for f in fs return f(10)}.r';
    expect(compileExpression(source).evaluate(createContext())).to.deep.equal([11, 12]);
  });

  it('should throw the message of a failed assertion', () => {
    const expression = compileExpression('assert(x, x > 1, "x is too small")');
    expect(expression.evaluate(createContext({ x: 2 }))).to.equal(2);
    expect(() => expression.evaluate(createContext({ x: 1 })))
      .to.throw(FeelAssertionError, 'x is too small')
      .with.property('code', 'feel_assertion_failed');
  });
});

describe('compileUnaryTests', () => {
  const cases: readonly (readonly [string, unknown, boolean])[] = [
    ['-', 5, true],
    ['> 3', 5, true],
    ['> 3', 'a', false],
    ['1, 2', 2, true],
    ['not(1, 2)', 2, false],
    ['not(1, 2)', 3, true],
    ['[1..3]', 3, true],
    [']1..3[', 1, false],
    ['"a", "b"', 'b', true],
    ['? > limit', 11, true],
    ['contains(?, "b")', 'abc', true],
    ['contains(?, "z")', 'abc', false],
    ['< 1, > 3', 2, false],
    ['null', null, true],
    ['null', undefined, true],
    ['allowed', 'y', true],
    ['true', true, true],
    ['true', 1, false],
    ['not("a")', null, true],
    ['>= limit', 10, true],
    ['= 3', 3, true],
    ['!= 3', 3, false],
  ];
  for (const [source, input, expected] of cases) {
    it(`should return ${String(expected)} for ${JSON.stringify(input ?? null)} against ${source}`, () => {
      expect(compileUnaryTests(source).test(input, createContext({ limit: 10, allowed: ['x', 'y'] }))).to.equal(
        expected,
      );
    });
  }

  it('should list the variable paths in a test', () => {
    expect(compileUnaryTests('> order.limit, ? = x').reads).to.deep.equal([['order', 'limit'], ['x']]);
  });

  it('should refuse an invalid test', () => {
    expect(() => compileUnaryTests('1 +')).to.throw(FeelSyntaxError);
  });
});
