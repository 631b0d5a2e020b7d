import type { Json } from './json.js';

/**
 * The RFC 8785 (JSON Canonicalization Scheme) text of a value: object keys sorted by their UTF-16 code units, numbers and
 * strings as ECMAScript writes them, no white space.
 *
 * It stands on the path of every event's hash, where it is about twice as fast as the library that the specs compare it to (ADR 8).
 *
 * @throws {TypeError} for what JSON cannot hold: `NaN`, infinities, half of a surrogate pair (RFC 8785, 3.2.2.2).
 */
export function canonicalJson(value: Json | object): string {
  return write(value);
}

function write(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return writeText(value);
    case 'number':
      if (Number.isFinite(value)) return JSON.stringify(value);
      throw new TypeError(`${value} has no canonical form.`);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? writeList(value) : writeObject(value as Record<string, unknown>);
    default:
      throw new TypeError(`A ${typeof value} has no canonical form.`);
  }
}

function writeText(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('Half of a surrogate pair has no canonical form.');
  return JSON.stringify(text);
}

function writeList(items: readonly unknown[]): string {
  let text = '[';
  for (let index = 0; index < items.length; index += 1) {
    if (index > 0) text += ',';
    text += write(items[index] ?? null);
  }
  return `${text}]`;
}

function writeObject(object: Record<string, unknown>): string {
  const keys = Object.keys(object);
  if (keys.length > 1) keys.sort();
  let text = '{';
  for (const key of keys) {
    const value = object[key];
    // As with JSON.stringify, a property that is undefined is not there.
    if (value === undefined) continue;
    if (text.length > 1) text += ',';
    text += `${writeText(key)}:${write(value)}`;
  }
  return `${text}}`;
}
