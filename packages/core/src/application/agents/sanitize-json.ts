import { findJsonProblem, isJsonObject, type Json } from '@countersign/model';

/** Makes a string storable and hashable: replaces NUL characters and lone surrogates. */
export function sanitizeString(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/**
 * Sanitizes all strings of a value. Returns `undefined` if the value still cannot be stored because it is nested too
 * deeply or has forbidden member names.
 */
export function sanitizeJson(value: Json): Json | undefined {
  const problem = findJsonProblem(value);
  if (problem === undefined) return value;
  if (problem.code !== 'unstorable_text') return undefined;
  const sanitized = sanitize(value, 0);
  return findJsonProblem(sanitized) === undefined ? sanitized : undefined;
}

function sanitize(value: Json, depth: number): Json {
  // `findJsonProblem` refuses deeper values in the check that follows.
  if (depth > 100) return value;
  if (typeof value === 'string') return sanitizeString(value);
  if (Array.isArray(value)) return value.map((item) => sanitize(item, depth + 1));
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [sanitizeString(key), sanitize(item, depth + 1)]))
    : value;
}
