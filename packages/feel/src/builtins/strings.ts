import type { Run } from '../budget.js';
import { isNumber, wholePart } from '../numbers/decimal.js';
import { defineBuiltin, type Builtin } from './builtin.js';

type TextCall = (run: Run, text: string) => unknown;
type PairCall = (text: string, other: string) => unknown;

function textBuiltin(name: string, call: TextCall): Builtin {
  return defineBuiltin(name, 'string', (run, text) => {
    if (typeof text !== 'string') return null;
    run.chargeScan(text.length);
    return call(run, text);
  });
}

function textPairBuiltin(name: string, signature: string, call: PairCall): Builtin {
  return defineBuiltin(name, signature, (run, text, other) => {
    if (typeof text !== 'string' || typeof other !== 'string') return null;
    run.chargeScan(text.length + other.length);
    return call(text, other);
  });
}

function chargeNewText(run: Run, text: string): string {
  run.chargeSize(text.length);
  return text;
}

/**
 * Returns a substring. Positions count from 1, or from the end if negative; null if the substring would start outside.
 * A character is a Unicode code point (DMN 1.3, table 73), so surrogate pairs are never split.
 */
function substring(run: Run, text: unknown, start: unknown, length: unknown): string | null {
  if (typeof text !== 'string' || !isNumber(start) || (length !== undefined && !isNumber(length))) return null;
  run.chargeScan(text.length);
  const characters = SURROGATE.test(text) ? Array.from(text) : text;
  const position = wholePart(start);
  const from = position > 0 ? position - 1 : characters.length + position;
  const count = length === undefined ? characters.length : wholePart(length);
  if (from < 0 || from > characters.length || count < 0) return null;
  if (position === 0) return '';
  const part = characters.slice(from, from + count);
  return chargeNewText(run, typeof part === 'string' ? part : part.join(''));
}

/** Most strings contain no surrogates; each UTF-16 unit is then one character. */
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
  textBuiltin('string length', stringLength),
  textBuiltin('upper case', (run, text) => chargeNewText(run, text.toUpperCase())),
  textBuiltin('lower case', (run, text) => chargeNewText(run, text.toLowerCase())),
  textBuiltin('trim', (run, text) => chargeNewText(run, text.trim())),
  textBuiltin('is blank', (_run, text) => text.trim() === ''),
  defineBuiltin('to base64', 'value', (run, text) => {
    if (typeof text !== 'string') return null;
    run.chargeScan(text.length);
    run.chargeSize(text.length * 4);
    return Buffer.from(text, 'utf8').toString('base64');
  }),
  textPairBuiltin('substring before', 'string, match', substringBefore),
  textPairBuiltin('substring after', 'string, match', substringAfter),
  textPairBuiltin('contains', 'string, match', (text, match) => text.includes(match)),
  textPairBuiltin('starts with', 'string, match', (text, match) => text.startsWith(match)),
  textPairBuiltin('ends with', 'string, match', (text, match) => text.endsWith(match)),
];
