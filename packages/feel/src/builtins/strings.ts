import type { EvaluationState } from '../budget.js';
import { isNumber, getWholePart } from '../numbers/decimal.js';
import { defineBuiltin, type Builtin } from './builtin.js';

type StringCall = (state: EvaluationState, text: string) => unknown;
type StringPairCall = (text: string, other: string) => unknown;

function defineStringBuiltin(name: string, call: StringCall): Builtin {
  return defineBuiltin(name, 'string', (state, text) => {
    if (typeof text !== 'string') return null;
    state.chargeScan(text.length);
    return call(state, text);
  });
}

function defineStringPairBuiltin(name: string, signature: string, call: StringPairCall): Builtin {
  return defineBuiltin(name, signature, (state, text, other) => {
    if (typeof text !== 'string' || typeof other !== 'string') return null;
    state.chargeScan(text.length + other.length);
    return call(text, other);
  });
}

function chargeNewString(state: EvaluationState, text: string): string {
  state.chargeSize(text.length);
  return text;
}

/**
 * Returns a substring. Positions are counted from 1, or from the end if negative; null if the substring would start
 * outside the string. A character is a Unicode code point (DMN 1.3, table 73), so surrogate pairs are never split.
 */
function substring(state: EvaluationState, text: unknown, start: unknown, length: unknown): string | null {
  if (typeof text !== 'string' || !isNumber(start) || (length !== undefined && !isNumber(length))) return null;
  state.chargeScan(text.length);
  const characters = SURROGATE.test(text) ? Array.from(text) : text;
  const position = getWholePart(start);
  const from = position > 0 ? position - 1 : characters.length + position;
  const count = length === undefined ? characters.length : getWholePart(length);
  if (from < 0 || from > characters.length || count < 0) return null;
  if (position === 0) return '';
  const part = characters.slice(from, from + count);
  return chargeNewString(state, typeof part === 'string' ? part : part.join(''));
}

/** Matches a surrogate. Most strings contain none; each of their UTF-16 code units is one character. */
const SURROGATE = /[\ud800-\udfff]/;

/** Returns the number of code points (DMN 1.3, table 73). */
function stringLength(_state: EvaluationState, text: string): number {
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
  defineStringBuiltin('upper case', (state, text) => chargeNewString(state, text.toUpperCase())),
  defineStringBuiltin('lower case', (state, text) => chargeNewString(state, text.toLowerCase())),
  defineStringBuiltin('trim', (state, text) => chargeNewString(state, text.trim())),
  defineStringBuiltin('is blank', (_state, text) => text.trim() === ''),
  defineBuiltin('to base64', 'value', (state, text) => {
    if (typeof text !== 'string') return null;
    state.chargeScan(text.length);
    state.chargeSize(text.length * 4);
    return Buffer.from(text, 'utf8').toString('base64');
  }),
  defineStringPairBuiltin('substring before', 'string, match', substringBefore),
  defineStringPairBuiltin('substring after', 'string, match', substringAfter),
  defineStringPairBuiltin('contains', 'string, match', (text, match) => text.includes(match)),
  defineStringPairBuiltin('starts with', 'string, match', (text, match) => text.startsWith(match)),
  defineStringPairBuiltin('ends with', 'string, match', (text, match) => text.endsWith(match)),
];
