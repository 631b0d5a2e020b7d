import { findJsonProblem, isJsonObject, type Json } from '@countersign/model';

/** A text as it can be stored and hashed: without NUL characters and halves of surrogate pairs. */
export function sanitizeString(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** The same of all texts of a value. `undefined` where it can't be kept otherwise: too deep, or with names that are not allowed. */
export function sanitizeJson(value: Json): Json | undefined {
  const problem = findJsonProblem(value);
  if (problem === undefined) return value;
  if (problem.code !== 'unstorable_text') return undefined;
  const mended = mend(value, 0);
  return findJsonProblem(mended) === undefined ? mended : undefined;
}

function mend(value: Json, depth: number): Json {
  // What is deeper is refused by the check that follows.
  if (depth > 100) return value;
  if (typeof value === 'string') return sanitizeString(value);
  if (Array.isArray(value)) return value.map((item) => mend(item, depth + 1));
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [sanitizeString(key), mend(item, depth + 1)]))
    : value;
}
