import type { EvaluationState } from './budget.js';
import { Local, type Scope } from './compile-scope.js';
import { childAt, getChildren, type Compiler, type NodeCompiler } from './compiler.js';
import { equals, listIncludes, compareValues, rangeIncludes } from './equality.js';
import type { FeelNode } from './parse.js';
import { FeelRange, isList } from './values.js';

/** A unary test of an input: true, false, or null if undecidable. */
export type Test = (state: EvaluationState, local: Local, input: unknown) => boolean | null;

/**
 * Compiles a list of unary tests, at least one of which must pass.
 *
 * @param inCell whether the tests are in a cell of a decision table, where `not(…)` may enclose them
 */
export function compileTests(compiler: Compiler, nodes: readonly FeelNode[], scope: Scope, inCell = false): Test {
  const tests = nodes.flatMap(flattenTestNodes).map((node) => compileTest(compiler, node, scope, inCell));
  const [firstTest] = tests;
  if (firstTest && tests.length === 1) return firstTest;
  return (state, local, input) => {
    let result: boolean | null = false;
    for (const test of tests) {
      const testResult = test(state, local, input);
      if (testResult === true) return true;
      if (testResult === null) result = null;
    }
    return result;
  };
}

function flattenTestNodes(node: FeelNode): FeelNode[] {
  if (node.name === 'PositiveUnaryTests' || node.name === 'PositiveUnaryTest')
    return getChildren(node).flatMap(flattenTestNodes);
  return node.name === '(' || node.name === ')' || node.name === ',' ? [] : [node];
}

function compileTest(compiler: Compiler, node: FeelNode, scope: Scope, inCell: boolean): Test {
  if (node.name === 'ParenthesizedExpression') {
    const inner = childAt(getChildren(node), 1);
    if (inner.name === 'SimplePositiveUnaryTest') return compileTest(compiler, inner, scope, inCell);
  }
  const children = getChildren(node);
  if (node.name === 'SimplePositiveUnaryTest' && children[0]?.name === 'CompareOp') {
    return compileComparisonTest(compiler, compiler.getText(childAt(children, 0)), childAt(children, 1), scope);
  }
  return compileValueTest(compiler, node, scope, inCell);
}

function compileComparisonTest(compiler: Compiler, operator: string, node: FeelNode, scope: Scope): Test {
  const { evaluate } = compiler.compile(node, scope);
  if (operator === '=' || operator === '!=') {
    return (state, local, input) => {
      const equal = equals(state, input, evaluate(state, local));
      return equal === null ? null : equal === (operator === '=');
    };
  }
  return (state, local, input) => {
    const difference = compareValues(input, evaluate(state, local));
    if (difference === null) return null;
    switch (operator) {
      case '<':
        return difference < 0;
      case '<=':
        return difference <= 0;
      case '>':
        return difference > 0;
      default:
        return difference >= 0;
    }
  };
}

/**
 * Compiles an expression as a test: true passes, a list or range must contain the input, and any other value must equal
 * the input.
 */
function compileValueTest(compiler: Compiler, node: FeelNode, scope: Scope, inCell: boolean): Test {
  const usesInput = compiler.getText(node).includes('?');
  const { evaluate } = compiler.compile(node, usesInput ? scope.bind('?') : scope);
  const isBooleanLiteral = node.name === 'BooleanLiteral';
  const isInterval = node.name === 'SimplePositiveUnaryTest';
  return (state, local, input) => {
    const value = evaluate(state, usesInput ? new Local(local, input) : local);
    if (value === true && !isBooleanLiteral) return true;
    if (isInterval && value === null) return null;
    if (usesInput && typeof value === 'boolean') return value;
    if (value instanceof FeelRange) return rangeIncludes(value, input);
    if (isList(value) && (listIncludes(state, value, input) || listHasMatchingRange(value, input))) return true;
    // A condition that is false, such as `list contains(tags, "x")`, cannot be compared with an input of another type.
    // Only `not(…)` distinguishes false from null; within an expression the result stays null, as in Zeebe.
    if (inCell && value === false && !isBooleanLiteral && typeof input !== 'boolean') return false;
    return isList(value) && !isList(input) ? false : equals(state, input, value);
  };
}

function listHasMatchingRange(list: readonly unknown[], input: unknown): boolean {
  return list.some((item) => item instanceof FeelRange && rangeIncludes(item, input) === true);
}

const compileInput: NodeCompiler = (compiler, node, scope) => {
  if (!scope.find('?').bound)
    throw compiler.createError(node, "'?' is the input of a unary test and has no meaning here");
  return { evaluate: scope.compileRead('?', () => null) };
};

export const testCompilers: readonly (readonly [string, NodeCompiler])[] = [['?', compileInput]];
