import type { Code, Evaluate, Scope } from './compile-scope.js';
import { childAt, childrenOf, fold, type Compiler, type NodeCompiler } from './compiler.js';
import { compileTests } from './compile-tests.js';
import { equals, order } from './equality.js';
import { compareNumbers, FeelDecimal, isNumber } from './numbers/decimal.js';
import type { FeelNode } from './parse.js';

const compileComparison: NodeCompiler = (compiler, node, scope) => {
  const children = childrenOf(node);
  const left = childAt(children, 0);
  if (left.name === 'Comparison')
    throw compiler.error(childAt(children, 1), "Comparisons can't be chained; use brackets or 'and'");
  const operator = compiler.text(childAt(children, 1));
  if (operator === 'in') return compileIn(compiler, left, children.slice(2), scope);
  if (operator === 'between') return compileBetween(compiler, children, scope);
  return compare(operator, compiler.compile(left, scope), compiler.compile(childAt(children, 2), scope));
};

/** Compiles `left operator right`, with faster code for constants. */
function compare(operator: string, left: Code, right: Code): Code {
  const evaluate =
    operator === '=' || operator === '!=' ? equality(left, right, operator === '=') : ordering(operator, left, right);
  return fold(evaluate, left, right);
}

function equality(left: Code, right: Code, wanted: boolean): Evaluate {
  if (left.constant && !right.constant) return equality(right, left, wanted);
  const [first, second] = [left.evaluate, right.evaluate];
  const fixed = right.constant?.value;
  if (fixed === null) return (run, local) => (first(run, local) === null) === wanted;
  if (right.constant && typeof fixed !== 'object') {
    const kind = typeof fixed;
    return (run, local) => {
      const value = first(run, local);
      if (typeof value === kind) return (value === fixed) === wanted;
      return value === null || (kind === 'number' && value instanceof FeelDecimal) ? !wanted : null;
    };
  }
  return (run, local) => {
    const equal = equals(run, first(run, local), second(run, local));
    return equal === null ? null : equal === wanted;
  };
}

const MIRRORED: ReadonlyMap<string, string> = new Map([
  ['<', '>'],
  ['<=', '>='],
  ['>', '<'],
  ['>=', '<='],
]);

const NUMERIC: ReadonlyMap<string, (first: Evaluate, bound: number) => Evaluate> = new Map<
  string,
  (first: Evaluate, bound: number) => Evaluate
>([
  [
    '<',
    (first, bound) => (run, local) => {
      const value = first(run, local);
      if (typeof value === 'number') return value < bound;
      return isNumber(value) ? compareNumbers(value, bound) < 0 : null;
    },
  ],
  [
    '<=',
    (first, bound) => (run, local) => {
      const value = first(run, local);
      if (typeof value === 'number') return value <= bound;
      return isNumber(value) ? compareNumbers(value, bound) <= 0 : null;
    },
  ],
  [
    '>',
    (first, bound) => (run, local) => {
      const value = first(run, local);
      if (typeof value === 'number') return value > bound;
      return isNumber(value) ? compareNumbers(value, bound) > 0 : null;
    },
  ],
  [
    '>=',
    (first, bound) => (run, local) => {
      const value = first(run, local);
      if (typeof value === 'number') return value >= bound;
      return isNumber(value) ? compareNumbers(value, bound) >= 0 : null;
    },
  ],
]);

const ORDERED: ReadonlyMap<string, (difference: number) => boolean> = new Map<string, (difference: number) => boolean>([
  ['<', (difference) => difference < 0],
  ['<=', (difference) => difference <= 0],
  ['>', (difference) => difference > 0],
  ['>=', (difference) => difference >= 0],
]);

function ordering(operator: string, left: Code, right: Code): Evaluate {
  const mirrored = MIRRORED.get(operator);
  if (left.constant && !right.constant && mirrored) return ordering(mirrored, right, left);
  const [first, second] = [left.evaluate, right.evaluate];
  const fixed = right.constant?.value;
  const numeric = NUMERIC.get(operator);
  if (typeof fixed === 'number' && numeric) return numeric(first, fixed);
  const holds = ORDERED.get(operator);
  return (run, local) => {
    const difference = order(first(run, local), second(run, local));
    return difference === null || !holds ? null : holds(difference);
  };
}

function compileBetween(compiler: Compiler, children: readonly FeelNode[], scope: Scope): Code {
  const [value, low, high] = [0, 2, 4].map((index) => compiler.compile(childAt(children, index), scope)) as [
    Code,
    Code,
    Code,
  ];
  return fold(
    (run, local) => {
      const input = value.evaluate(run, local);
      const fromLow = order(input, low.evaluate(run, local));
      const toHigh = order(input, high.evaluate(run, local));
      return fromLow === null || toHigh === null ? null : fromLow >= 0 && toHigh <= 0;
    },
    value,
    low,
    high,
  );
}

function compileIn(compiler: Compiler, left: FeelNode, tests: readonly FeelNode[], scope: Scope): Code {
  const input = compiler.compile(left, scope);
  const test = compileTests(compiler, tests, scope);
  return { evaluate: (run, local) => test(run, local, input.evaluate(run, local)) };
}

export const comparisonCompilers: readonly (readonly [string, NodeCompiler])[] = [['Comparison', compileComparison]];
