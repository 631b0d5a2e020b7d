import { compileExpression } from '@countersign/feel';
import type { Expression } from '@countersign/model';
import type { CompiledFile } from '../compile-workflow.js';

/** What of an expression can be passed to another thread. */
type ExpressionSource = Pick<Expression, 'source' | 'reads'>;

/** A compiled file as it goes from one thread to another, which functions can't. */
export interface PackedFile {
  /** With an {@link ExpressionSource} in the place of each expression. */
  readonly file: CompiledFile;
  /** Each of those, by identity. */
  readonly expressions: readonly ExpressionSource[];
}

/** Makes a copy of a compiled file that structured cloning takes. What is one object in the file is one in the copy. */
export function packFile(file: CompiledFile): PackedFile {
  const copies = new Map<object, object>();
  const expressions: ExpressionSource[] = [];
  const copy = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    const made = emptyLike(value);
    copies.set(value, made);
    if (isExpression(value)) {
      Object.assign(made, { source: value.source, reads: value.reads });
      expressions.push(made as ExpressionSource);
    } else if (made instanceof Map) for (const [key, each] of value as Map<unknown, unknown>) made.set(key, copy(each));
    else if (made instanceof Set) for (const each of value as Set<unknown>) made.add(copy(each));
    else for (const [key, each] of Object.entries(value)) (made as Record<string, unknown>)[key] = copy(each);
    return made;
  };
  return { file: copy(file) as CompiledFile, expressions };
}

/** The file again: its expressions are compiled by this thread. Yields now and then. */
export function* unpackFile({ file, expressions }: PackedFile): Generator<void, CompiledFile> {
  for (const expression of expressions) {
    Object.assign(expression, compileExpression(expression.source));
    yield;
  }
  return file;
}

function emptyLike(value: object): object {
  if (Array.isArray(value)) return [];
  if (value instanceof Map) return new Map();
  return value instanceof Set ? new Set() : {};
}

function isExpression(value: object): value is Expression {
  return 'evaluate' in value && typeof value.evaluate === 'function';
}
