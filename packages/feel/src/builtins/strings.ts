import type { Run } from '../budget.js';
import { isNumber, wholePart } from '../numbers/decimal.js';
import { builtin, type Builtin } from './builtin.js';

type TextCall = (run: Run, text: string) => unknown;
type PairCall = (text: string, other: string) => unknown;

function ofText(name: string, call: TextCall): Builtin {
  return builtin(name, 'string', (run, text) => {
    if (typeof text !== 'string') return null;
    run.scan(text.length);
    return call(run, text);
  });
}

function ofTwo(name: string, signature: string, call: PairCall): Builtin {
  return builtin(name, signature, (run, text, other) => {
    if (typeof text !== 'string' || typeof other !== 'string') return null;
    run.scan(text.length + other.length);
    return call(text, other);
  });
}

function grown(run: Run, text: string): string {
  run.grow(text.length);
  return text;
}

/**
 * Returns a substring. Positions count from 1, or from the end if negative; null if the substring would start outside.
 * A character is a Unicode code point (DMN 1.3, table 73), so surrogate pairs are never split.
 */
function substring(run: Run, text: unknown, start: unknown, length: unknown): string | null {
  if (typeof text !== 'string' || !isNumber(start) || (length !== undefined && !isNumber(length))) return null;
  run.scan(text.length);
  const characters = SURROGATE.test(text) ? Array.from(text) : text;
  const position = wholePart(start);
  const from = position > 0 ? position - 1 : characters.length + position;
  const count = length === undefined ? characters.length : wholePart(length);
  if (from < 0 || from > characters.length || count < 0) return null;
  if (position === 0) return '';
  const part = characters.slice(from, from + count);
  return grown(run, typeof part === 'string' ? part : part.join(''));
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

function before(text: string, match: string): string {
  const at = text.indexOf(match);
  return at === -1 ? '' : text.slice(0, at);
}

function after(text: string, match: string): string {
  const at = text.indexOf(match);
  return at === -1 ? '' : text.slice(at + match.length);
}

export const stringBuiltins: readonly Builtin[] = [
  builtin('substring', 'string, start position, length?', substring),
  ofText('string length', stringLength),
  ofText('upper case', (run, text) => grown(run, text.toUpperCase())),
  ofText('lower case', (run, text) => grown(run, text.toLowerCase())),
  ofText('trim', (run, text) => grown(run, text.trim())),
  ofText('is blank', (_run, text) => text.trim() === ''),
  builtin('to base64', 'value', (run, text) => {
    if (typeof text !== 'string') return null;
    run.scan(text.length);
    run.grow(text.length * 4);
    return Buffer.from(text, 'utf8').toString('base64');
  }),
  ofTwo('substring before', 'string, match', before),
  ofTwo('substring after', 'string, match', after),
  ofTwo('contains', 'string, match', (text, match) => text.includes(match)),
  ofTwo('starts with', 'string, match', (text, match) => text.startsWith(match)),
  ofTwo('ends with', 'string, match', (text, match) => text.endsWith(match)),
];
