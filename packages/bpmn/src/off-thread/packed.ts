import { compileExpression, compileUnaryTests, type FeelUnaryTests } from '@countersign/feel';
import type { Expression } from '@countersign/model';

/** The parts of an expression, or of unary tests, that can be passed to another thread. */
type FeelSource = Pick<Expression, 'source' | 'reads'>;

/** A compiled object in a form that can be passed between threads. Functions cannot be passed. */
export interface Packed<T> {
  /** A copy with a {@link FeelSource} in place of each expression and each unary test. */
  readonly value: T;
  /** The objects in `value` that replace expressions (the same objects, not copies). */
  readonly expressions: readonly FeelSource[];
  /** The objects in `value` that replace unary tests (the same objects, not copies). */
  readonly tests: readonly FeelSource[];
}

/** Returns a copy of a compiled object that structured cloning accepts. Shared objects remain shared in the copy. */
export function pack<T>(compiled: T): Packed<T> {
  const copies = new Map<object, object>();
  const expressions: FeelSource[] = [];
  const tests: FeelSource[] = [];
  const copySource = (target: object, { source, reads }: FeelSource, sources: FeelSource[]): void => {
    Object.assign(target, { source, reads });
    sources.push(target as FeelSource);
  };
  const copy = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const existing = copies.get(value);
    if (existing !== undefined) return existing;
    const clone = createEmptyContainer(value);
    copies.set(value, clone);
    if (isExpression(value)) copySource(clone, value, expressions);
    else if (isUnaryTests(value)) copySource(clone, value, tests);
    else if (clone instanceof Map) for (const [key, each] of value as Map<unknown, unknown>) clone.set(key, copy(each));
    else if (clone instanceof Set) for (const each of value as Set<unknown>) clone.add(copy(each));
    else for (const [key, each] of Object.entries(value)) (clone as Record<string, unknown>)[key] = copy(each);
    return clone;
  };
  return { value: copy(compiled) as T, expressions, tests };
}

/** Restores a packed object: this thread compiles its expressions and tests again. Yields after each of them. */
export function* unpack<T>({ value, expressions, tests }: Packed<T>): Generator<void, T> {
  for (const expression of expressions) {
    Object.assign(expression, compileExpression(expression.source));
    yield;
  }
  for (const each of tests) {
    Object.assign(each, compileUnaryTests(each.source));
    yield;
  }
  return value;
}

function createEmptyContainer(value: object): object {
  if (Array.isArray(value)) return [];
  if (value instanceof Map) return new Map();
  return value instanceof Set ? new Set() : {};
}

function isExpression(value: object): value is Expression {
  return 'evaluate' in value && typeof value.evaluate === 'function';
}

function isUnaryTests(value: object): value is FeelUnaryTests {
  return 'testIn' in value && typeof value.testIn === 'function';
}
