import type { Run } from '../budget.js';
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

/** From 1, from the end when negative; null where it begins outside. */
function substring(run: Run, text: unknown, start: unknown, length: unknown): string | null {
  if (typeof text !== 'string' || typeof start !== 'number' || (length !== undefined && typeof length !== 'number'))
    return null;
  const position = Math.trunc(start);
  const from = position > 0 ? position - 1 : text.length + position;
  const count = length === undefined ? text.length : Math.trunc(length);
  if (from < 0 || from > text.length || count < 0) return null;
  return grown(run, position === 0 ? '' : text.slice(from, from + count));
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
  ofText('string length', (_run, text) => text.length),
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
