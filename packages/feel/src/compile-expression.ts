import type { FeelLimits, FeelScope } from './budget.js';
import { collectionCompilers } from './compile-collections.js';
import { comparisonCompilers } from './compile-comparison.js';
import { filterCompilers } from './compile-filter.js';
import { functionCompilers } from './compile-functions.js';
import { instanceOfCompilers } from './compile-instance-of.js';
import { iterationCompilers } from './compile-iteration.js';
import { literalCompilers } from './compile-literals.js';
import { nameCompilers } from './compile-names.js';
import { operatorCompilers } from './compile-operators.js';
import { Local, Scope } from './compile-scope.js';
import { compileTests, testCompilers } from './compile-tests.js';
import { childAt, getChildren, Compiler, ROOT_LOCAL, type NodeCompiler } from './compiler.js';
import { FeelEvaluation, guardStackOverflow } from './evaluation.js';
import { parse } from './parse.js';
import { toJson } from './to-json.js';
import type { Json } from './values.js';

/** All inputs of an evaluation. */
export interface FeelContext {
  /** Variables by name, such as a `Map<string, unknown>`. */
  readonly variables: FeelScope;
  /** Milliseconds since 1970 UTC, as used by `now()` and `today()`. */
  readonly now: number;
  /** IANA zone of `now()` and `today()`. Default UTC. */
  readonly zone?: string;
  readonly limits?: Partial<FeelLimits>;
  /** `steps` is increased by the steps of the evaluation, even if it fails. */
  readonly meter?: { steps: number } | undefined;
}

/** A compiled expression, which can be evaluated any number of times. */
export interface FeelExpression {
  readonly source: string;
  /** Paths of the variables that the expression may read, e.g. `[['approval', 'decision'], ['x']]`. */
  readonly reads: readonly (readonly string[])[];
  /**
   * Returns the result as JSON. A variable that the expression returns unchanged is the same object, not a copy.
   *
   * @throws {FeelLimitError} if the budget is used up
   * @throws {FeelAssertionError} if an `assert()` fails
   */
  evaluate(context: FeelContext): Json;
  /**
   * Returns the result as a FEEL value (a date stays a date). Uses the budget of `evaluation`, which several
   * expressions share.
   */
  evaluateIn(evaluation: FeelEvaluation): unknown;
}

/** Compiled unary tests, as in a cell of a decision table. */
export interface FeelUnaryTests {
  readonly source: string;
  readonly reads: readonly (readonly string[])[];
  /** Returns whether the input passes. An undecidable test (null) does not pass. */
  test(input: unknown, context: FeelContext): boolean;
  /** Tests an input that may be any FEEL value. Uses the budget of `evaluation`, which several tests share. */
  testIn(evaluation: FeelEvaluation, input: unknown): boolean;
}

const NODE_COMPILERS: ReadonlyMap<string, NodeCompiler> = new Map([
  ...collectionCompilers,
  ...comparisonCompilers,
  ...filterCompilers,
  ...functionCompilers,
  ...instanceOfCompilers,
  ...iterationCompilers,
  ...literalCompilers,
  ...nameCompilers,
  ...operatorCompilers,
  ...testCompilers,
]);

/**
 * Compiles a FEEL expression (DMN 1.3 in Camunda's dialect; without the leading `=` used in BPMN models).
 *
 * @throws {FeelSyntaxError} if the source is not FEEL, or calls a function that is unknown or cannot be replayed
 * @throws {FeelLimitError} if the source is too long or too deeply nested
 */
export function compileExpression(source: string): FeelExpression {
  const compiler = new Compiler(source, NODE_COMPILERS);
  const root = parse(source, 'Expression');
  const code = guardStackOverflow(() => compiler.compile(childAt(getChildren(root), 0), Scope.root));
  const { evaluate, path } = code;
  const isJson = path !== undefined;
  return Object.freeze({
    source,
    reads: compiler.reads,
    evaluate: (context: FeelContext): Json => {
      const evaluation = new FeelEvaluation(context);
      const { state } = evaluation;
      try {
        return guardStackOverflow(() => {
          const value = evaluate(state, ROOT_LOCAL);
          return isJson ? (value as Json) : toJson(state, value);
        }, context);
      } finally {
        evaluation.recordSteps();
      }
    },
    evaluateIn: ({ state, context }: FeelEvaluation): unknown =>
      guardStackOverflow(() => evaluate(state, ROOT_LOCAL), context),
  });
}

/** Compiles unary tests: `> 5, [1..3], "x"`, `not(…)`, `-`; `?` is the input. Throws like `compileExpression`. */
export function compileUnaryTests(source: string): FeelUnaryTests {
  const compiler = new Compiler(source, NODE_COMPILERS);
  const children = getChildren(parse(source, 'UnaryTests'));
  const isNegated = children[0]?.name === 'not';
  const isWildcard = children[0]?.name === 'Wildcard';
  const scope = Scope.root.bind('?');
  const nodes = children.filter((child) => child.name === 'PositiveUnaryTests');
  const tests = isWildcard ? () => true : guardStackOverflow(() => compileTests(compiler, nodes, scope, true));
  const testIn = ({ state, context }: FeelEvaluation, input: unknown): boolean => {
    const value = input ?? null;
    return guardStackOverflow(() => tests(state, new Local(ROOT_LOCAL, value), value), context) === !isNegated;
  };
  return Object.freeze({
    source,
    reads: compiler.reads,
    test: (input: unknown, context: FeelContext): boolean => testIn(new FeelEvaluation(context), input),
    testIn,
  });
}
