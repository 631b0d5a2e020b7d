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
import { childAt, childrenOf, Compiler, ROOT_LOCAL, type NodeCompiler } from './compiler.js';
import { FeelEvaluation, guarded } from './evaluation.js';
import { parse } from './parse.js';
import { toJson } from './to-json.js';
import type { Json } from './values.js';

/** What an evaluation may depend on, and nothing else. */
export interface FeelContext {
  /** Variables by name; a `Map<string, unknown>` fits. */
  readonly variables: FeelScope;
  /** Milliseconds since 1970 UTC: what `now()` and `today()` say. */
  readonly now: number;
  /** IANA zone of `now()` and `today()`. Default UTC. */
  readonly zone?: string;
  readonly limits?: Partial<FeelLimits>;
  /** Is told what the evaluation cost, also where it failed. */
  readonly meter?: { steps: number } | undefined;
}

/** A compiled expression; may be evaluated any number of times. */
export interface FeelExpression {
  readonly source: string;
  /** Paths of the variables that it may read, e.g. `[['approval', 'decision'], ['x']]`. */
  readonly reads: readonly (readonly string[])[];
  /**
   * The result as JSON; null where FEEL has none. A variable that is passed on is the same object, not a copy.
   * @throws FeelLimitError when the budget is used up; FeelAssertionError from `assert()`.
   */
  evaluate(context: FeelContext): Json;
  /** The result as FEEL has it (a date stays a date), at the expense of an evaluation that several expressions share. */
  evaluateIn(evaluation: FeelEvaluation): unknown;
}

/** Compiled unary tests, as of a decision table's cell. */
export interface FeelUnaryTests {
  readonly source: string;
  readonly reads: readonly (readonly string[])[];
  /** Whether the input passes; what can't be said (null) doesn't. */
  test(input: unknown, context: FeelContext): boolean;
  /** The same for an input that may be any FEEL value, at the expense of an evaluation that several tests share. */
  testIn(evaluation: FeelEvaluation, input: unknown): boolean;
}

const TABLE: ReadonlyMap<string, NodeCompiler> = new Map([
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
 * Compiles a FEEL expression (DMN 1.3 in Camunda's dialect; without the leading `=` of a model).
 * @throws FeelSyntaxError where it isn't FEEL, calls an unknown function, or one that can't be replayed
 * @throws FeelLimitError where it is too long or too deeply nested
 */
export function compileExpression(source: string): FeelExpression {
  const compiler = new Compiler(source, TABLE);
  const root = parse(source, 'Expression');
  const code = guarded(() => compiler.compile(childAt(childrenOf(root), 0), Scope.root));
  const { evaluate, path } = code;
  const isJson = path !== undefined;
  return Object.freeze({
    source,
    reads: compiler.reads,
    evaluate: (context: FeelContext): Json => {
      const evaluation = new FeelEvaluation(context);
      const { run } = evaluation;
      try {
        return guarded(() => {
          const value = evaluate(run, ROOT_LOCAL);
          return isJson ? (value as Json) : toJson(run, value);
        }, context);
      } finally {
        evaluation.end();
      }
    },
    evaluateIn: ({ run, context }: FeelEvaluation): unknown => guarded(() => evaluate(run, ROOT_LOCAL), context),
  });
}

/** Compiles unary tests: `> 5, [1..3], "x"`, `not(…)`, `-`; `?` is the input. Throws as `compileExpression`. */
export function compileUnaryTests(source: string): FeelUnaryTests {
  const compiler = new Compiler(source, TABLE);
  const children = childrenOf(parse(source, 'UnaryTests'));
  const negated = children[0]?.name === 'not';
  const wildcard = children[0]?.name === 'Wildcard';
  const scope = Scope.root.bind('?');
  const nodes = children.filter((child) => child.name === 'PositiveUnaryTests');
  const tests = wildcard ? () => true : guarded(() => compileTests(compiler, nodes, scope, true));
  const testIn = ({ run, context }: FeelEvaluation, input: unknown): boolean => {
    const value = input ?? null;
    return guarded(() => tests(run, new Local(ROOT_LOCAL, value), value), context) === !negated;
  };
  return Object.freeze({
    source,
    reads: compiler.reads,
    test: (input: unknown, context: FeelContext): boolean => testIn(new FeelEvaluation(context), input),
    testIn,
  });
}
