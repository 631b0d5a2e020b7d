import { findJsonProblem, isJsonObject, type Json } from '@countersign/model';

/** Makes a string storable and hashable: replaces NUL characters and lone surrogates. */
export function sanitizeString(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/**
 * Sanitizes all strings of a value. Returns `undefined` if the value still cannot be stored: too deep, or with
 * forbidden names.
 */
export function sanitizeJson(value: Json): Json | undefined {
  const problem = findJsonProblem(value);
  if (problem === undefined) return value;
  if (problem.code !== 'unstorable_text') return undefined;
  const mended = mend(value, 0);
  return findJsonProblem(mended) === undefined ? mended : undefined;
}

function mend(value: Json, depth: number): Json {
  // The check that follows refuses deeper values.
  if (depth > 100) return value;
  if (typeof value === 'string') return sanitizeString(value);
  if (Array.isArray(value)) return value.map((item) => mend(item, depth + 1));
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [sanitizeString(key), mend(item, depth + 1)]))
    : value;
}
