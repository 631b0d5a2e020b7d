import type { Code, Evaluate, Scope } from './compile-scope.js';
import { childAt, getChildren, foldConstant, type Compiler, type NodeCompiler } from './compiler.js';
import { compileTests } from './compile-tests.js';
import { equals, compareValues } from './equality.js';
import { compareNumbers, FeelDecimal, isNumber } from './numbers/decimal.js';
import type { FeelNode } from './parse.js';

const compileComparison: NodeCompiler = (compiler, node, scope) => {
  const children = getChildren(node);
  const left = childAt(children, 0);
  if (left.name === 'Comparison')
    throw compiler.createError(childAt(children, 1), "Comparisons cannot be chained; use parentheses or 'and'");
  const operator = compiler.getText(childAt(children, 1));
  if (operator === 'in') return compileIn(compiler, left, children.slice(2), scope);
  if (operator === 'between') return compileBetween(compiler, children, scope);
  return compileOperator(operator, compiler.compile(left, scope), compiler.compile(childAt(children, 2), scope));
};

/** Compiles `left operator right`, with faster code for constants. */
function compileOperator(operator: string, left: Code, right: Code): Code {
  const evaluate =
    operator === '=' || operator === '!='
      ? compileEquality(left, right, operator === '=')
      : compileOrdering(operator, left, right);
  return foldConstant(evaluate, left, right);
}

function compileEquality(left: Code, right: Code, expected: boolean): Evaluate {
  if (left.constant && !right.constant) return compileEquality(right, left, expected);
  const [first, second] = [left.evaluate, right.evaluate];
  const constantValue = right.constant?.value;
  if (constantValue === null) return (state, local) => (first(state, local) === null) === expected;
  if (right.constant && typeof constantValue !== 'object') {
    const kind = typeof constantValue;
    return (state, local) => {
      const value = first(state, local);
      if (typeof value === kind) return (value === constantValue) === expected;
      return value === null || (kind === 'number' && value instanceof FeelDecimal) ? !expected : null;
    };
  }
  return (state, local) => {
    const equal = equals(state, first(state, local), second(state, local));
    return equal === null ? null : equal === expected;
  };
}

const MIRRORED_OPERATORS: ReadonlyMap<string, string> = new Map([
  ['<', '>'],
  ['<=', '>='],
  ['>', '<'],
  ['>=', '<='],
]);

const NUMERIC_COMPARISONS: ReadonlyMap<string, (first: Evaluate, bound: number) => Evaluate> = new Map<
  string,
  (first: Evaluate, bound: number) => Evaluate
>([
  [
    '<',
    (first, bound) => (state, local) => {
      const value = first(state, local);
      if (typeof value === 'number') return value < bound;
      return isNumber(value) ? compareNumbers(value, bound) < 0 : null;
    },
  ],
  [
    '<=',
    (first, bound) => (state, local) => {
      const value = first(state, local);
      if (typeof value === 'number') return value <= bound;
      return isNumber(value) ? compareNumbers(value, bound) <= 0 : null;
    },
  ],
  [
    '>',
    (first, bound) => (state, local) => {
      const value = first(state, local);
      if (typeof value === 'number') return value > bound;
      return isNumber(value) ? compareNumbers(value, bound) > 0 : null;
    },
  ],
  [
    '>=',
    (first, bound) => (state, local) => {
      const value = first(state, local);
      if (typeof value === 'number') return value >= bound;
      return isNumber(value) ? compareNumbers(value, bound) >= 0 : null;
    },
  ],
]);

const ORDER_TESTS: ReadonlyMap<string, (difference: number) => boolean> = new Map<
  string,
  (difference: number) => boolean
>([
  ['<', (difference) => difference < 0],
  ['<=', (difference) => difference <= 0],
  ['>', (difference) => difference > 0],
  ['>=', (difference) => difference >= 0],
]);

function compileOrdering(operator: string, left: Code, right: Code): Evaluate {
  const mirroredOperator = MIRRORED_OPERATORS.get(operator);
  if (left.constant && !right.constant && mirroredOperator) return compileOrdering(mirroredOperator, right, left);
  const [first, second] = [left.evaluate, right.evaluate];
  const constantValue = right.constant?.value;
  const compileNumericComparison = NUMERIC_COMPARISONS.get(operator);
  if (typeof constantValue === 'number' && compileNumericComparison)
    return compileNumericComparison(first, constantValue);
  const isSatisfied = ORDER_TESTS.get(operator);
  return (state, local) => {
    const difference = compareValues(first(state, local), second(state, local));
    return difference === null || !isSatisfied ? null : isSatisfied(difference);
  };
}

function compileBetween(compiler: Compiler, children: readonly FeelNode[], scope: Scope): Code {
  const [value, low, high] = [0, 2, 4].map((index) => compiler.compile(childAt(children, index), scope)) as [
    Code,
    Code,
    Code,
  ];
  return foldConstant(
    (state, local) => {
      const input = value.evaluate(state, local);
      const lowDifference = compareValues(input, low.evaluate(state, local));
      const highDifference = compareValues(input, high.evaluate(state, local));
      return lowDifference === null || highDifference === null ? null : lowDifference >= 0 && highDifference <= 0;
    },
    value,
    low,
    high,
  );
}

function compileIn(compiler: Compiler, left: FeelNode, tests: readonly FeelNode[], scope: Scope): Code {
  const input = compiler.compile(left, scope);
  const test = compileTests(compiler, tests, scope);
  return { evaluate: (state, local) => test(state, local, input.evaluate(state, local)) };
}

export const comparisonCompilers: readonly (readonly [string, NodeCompiler])[] = [['Comparison', compileComparison]];
