import canonicalize from 'canonicalize';
import type { Json } from './json.js';

/**
 * The RFC 8785 (JSON Canonicalization Scheme) text of a value.
 *
 * @throws {TypeError} for what JSON cannot hold (`NaN`, infinities).
 */
export function canonicalJson(value: Json | object): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('Only JSON values have a canonical form.');
  return text;
}
