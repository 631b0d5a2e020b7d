import type { Run } from '../budget.js';
import { isNumber, getWholePart } from '../numbers/decimal.js';
import { defineBuiltin, type Builtin } from './builtin.js';

type StringCall = (run: Run, text: string) => unknown;
type StringPairCall = (text: string, other: string) => unknown;

function defineStringBuiltin(name: string, call: StringCall): Builtin {
  return defineBuiltin(name, 'string', (run, text) => {
    if (typeof text !== 'string') return null;
    run.chargeScan(text.length);
    return call(run, text);
  });
}

function defineStringPairBuiltin(name: string, signature: string, call: StringPairCall): Builtin {
  return defineBuiltin(name, signature, (run, text, other) => {
    if (typeof text !== 'string' || typeof other !== 'string') return null;
    run.chargeScan(text.length + other.length);
    return call(text, other);
  });
}

function chargeNewString(run: Run, text: string): string {
  run.chargeSize(text.length);
  return text;
}

/**
 * Returns a substring. Positions count from 1, or from the end if negative; null if the substring would start outside
 * the string.
 * A character is a Unicode code point (DMN 1.3, table 73), so surrogate pairs are never split.
 */
function substring(run: Run, text: unknown, start: unknown, length: unknown): string | null {
  if (typeof text !== 'string' || !isNumber(start) || (length !== undefined && !isNumber(length))) return null;
  run.chargeScan(text.length);
  const characters = SURROGATE.test(text) ? Array.from(text) : text;
  const position = getWholePart(start);
  const from = position > 0 ? position - 1 : characters.length + position;
  const count = length === undefined ? characters.length : getWholePart(length);
  if (from < 0 || from > characters.length || count < 0) return null;
  if (position === 0) return '';
  const part = characters.slice(from, from + count);
  return chargeNewString(run, typeof part === 'string' ? part : part.join(''));
}

/** Matches a surrogate. Most strings contain none; each of their UTF-16 code units is one character. */
const SURROGATE = /[\ud800-\udfff]/;

/** Returns the number of code points (DMN 1.3, table 73). */
function stringLength(_run: Run, text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let length = 0;
  for (const _character of text) length += 1;
  return length;
}

function substringBefore(text: string, match: string): string {
  const matchIndex = text.indexOf(match);
  return matchIndex === -1 ? '' : text.slice(0, matchIndex);
}

function substringAfter(text: string, match: string): string {
  const matchIndex = text.indexOf(match);
  return matchIndex === -1 ? '' : text.slice(matchIndex + match.length);
}

export const stringBuiltins: readonly Builtin[] = [
  defineBuiltin('substring', 'string, start position, length?', substring),
  defineStringBuiltin('string length', stringLength),
  defineStringBuiltin('upper case', (run, text) => chargeNewString(run, text.toUpperCase())),
  defineStringBuiltin('lower case', (run, text) => chargeNewString(run, text.toLowerCase())),
  defineStringBuiltin('trim', (run, text) => chargeNewString(run, text.trim())),
  defineStringBuiltin('is blank', (_run, text) => text.trim() === ''),
  defineBuiltin('to base64', 'value', (run, text) => {
    if (typeof text !== 'string') return null;
    run.chargeScan(text.length);
    run.chargeSize(text.length * 4);
    return Buffer.from(text, 'utf8').toString('base64');
  }),
  defineStringPairBuiltin('substring before', 'string, match', substringBefore),
  defineStringPairBuiltin('substring after', 'string, match', substringAfter),
  defineStringPairBuiltin('contains', 'string, match', (text, match) => text.includes(match)),
  defineStringPairBuiltin('starts with', 'string, match', (text, match) => text.startsWith(match)),
  defineStringPairBuiltin('ends with', 'string, match', (text, match) => text.endsWith(match)),
];
