import type { EvaluationState } from './budget.js';
import type { Code, Evaluate, Scope } from './compile-scope.js';
import { childAt, getChildren, foldConstant, type Compiler, type NodeCompiler } from './compiler.js';
import type { FeelNode } from './parse.js';
import { addTemporal, divideTemporal, multiplyTemporal, subtractTemporal } from './temporal/arithmetic.js';
import { ZONE_STEPS } from './temporal/calendar.js';
import { FeelDateTime } from './temporal/values.js';
import {
  add as addNumbers,
  divide as divideNumbers,
  multiply as multiplyNumbers,
  negate,
  power as raiseToPower,
  subtract as subtractNumbers,
} from './numbers/arithmetic.js';
import { isNumber } from './numbers/decimal.js';

type Operator = (state: EvaluationState, left: unknown, right: unknown) => unknown;

function add(state: EvaluationState, left: unknown, right: unknown): unknown {
  if (isNumber(left) && isNumber(right)) return addNumbers(left, right);
  if (typeof left === 'string') {
    if (typeof right !== 'string') return null;
    state.chargeSize(left.length + right.length);
    return left + right;
  }
  chargeZoneLookup(state, left, right);
  return addTemporal(left, right);
}

function chargeZoneLookup(state: EvaluationState, left: unknown, right: unknown): void {
  if ((left instanceof FeelDateTime && left.zone !== null) || (right instanceof FeelDateTime && right.zone !== null))
    state.chargeSteps(ZONE_STEPS);
}

function subtract(state: EvaluationState, left: unknown, right: unknown): unknown {
  if (isNumber(left) && isNumber(right)) return subtractNumbers(left, right);
  chargeZoneLookup(state, left, right);
  return subtractTemporal(left, right);
}

function multiply(_state: EvaluationState, left: unknown, right: unknown): unknown {
  if (isNumber(left) && isNumber(right)) return multiplyNumbers(left, right);
  return multiplyTemporal(left, right);
}

function divide(_state: EvaluationState, left: unknown, right: unknown): unknown {
  if (isNumber(left) && isNumber(right)) return divideNumbers(left, right);
  return divideTemporal(left, right);
}

function power(state: EvaluationState, left: unknown, right: unknown): unknown {
  return isNumber(left) && isNumber(right) ? raiseToPower(state, left, right) : null;
}

const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ['+', add],
  ['-', subtract],
  ['*', multiply],
  ['/', divide],
  ['**', power],
]);

const compileArithmetic: NodeCompiler = (compiler, node, scope) => {
  const children = getChildren(node);
  if (children.length === 2) return compileNegation(compiler, childAt(children, 1), scope);
  const left = compiler.compile(childAt(children, 0), scope);
  const right = compiler.compile(childAt(children, 2), scope);
  const sign = compiler.getText(childAt(children, 1));
  const operator = OPERATORS.get(sign);
  if (!operator) throw compiler.createError(childAt(children, 1), `Unknown operator '${sign}'`);
  const [first, second] = [left.evaluate, right.evaluate];
  return foldConstant((state, local) => operator(state, first(state, local), second(state, local)), left, right);
};

function compileNegation(compiler: Compiler, node: FeelNode, scope: Scope): Code {
  const operand = compiler.compile(node, scope);
  const { evaluate } = operand;
  return foldConstant((state, local) => {
    const value = evaluate(state, local);
    return isNumber(value) ? negate(value) : null;
  }, operand);
}

/** Compiles `and` in three-valued logic: false if an operand is false; an operand that is not a boolean is null. */
const compileConjunction: NodeCompiler = (compiler, node, scope) => {
  const [left, right] = compileOperands(compiler, node, scope);
  return foldConstant(
    (state, local) => {
      const first = left.evaluate(state, local);
      if (first === false) return false;
      const second = right.evaluate(state, local);
      if (second === false) return false;
      return first === true && second === true ? true : null;
    },
    left,
    right,
  );
};

const compileDisjunction: NodeCompiler = (compiler, node, scope) => {
  const [left, right] = compileOperands(compiler, node, scope);
  return foldConstant(
    (state, local) => {
      const first = left.evaluate(state, local);
      if (first === true) return true;
      const second = right.evaluate(state, local);
      if (second === true) return true;
      return first === false && second === false ? false : null;
    },
    left,
    right,
  );
};

function compileOperands(compiler: Compiler, node: FeelNode, scope: Scope): readonly [Code, Code] {
  const children = getChildren(node);
  return [compiler.compile(childAt(children, 0), scope), compiler.compile(childAt(children, 2), scope)];
}

/** Compiles `if`. A condition other than true selects the `else` branch. */
const compileIf: NodeCompiler = (compiler, node, scope) => {
  const children = getChildren(node);
  const [condition, consequent, alternative] = [1, 3, 5].map((index) =>
    compiler.compile(childAt(children, index), scope),
  ) as [Code, Code, Code];
  if (condition.constant) return condition.constant.value === true ? consequent : alternative;
  const test: Evaluate = condition.evaluate;
  return {
    evaluate: (state, local) =>
      test(state, local) === true ? consequent.evaluate(state, local) : alternative.evaluate(state, local),
  };
};

const compileParenthesized: NodeCompiler = (compiler, node, scope) =>
  compiler.compile(childAt(getChildren(node), 1), scope);

export const operatorCompilers: readonly (readonly [string, NodeCompiler])[] = [
  ['ArithmeticExpression', compileArithmetic],
  ['Conjunction', compileConjunction],
  ['Disjunction', compileDisjunction],
  ['IfExpression', compileIf],
  ['ParenthesizedExpression', compileParenthesized],
];
