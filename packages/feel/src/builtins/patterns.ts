import type { Run } from '../budget.js';
import { builtin, type Builtin, type BuiltinCall } from './builtin.js';
import { compilePattern, eachMatch, patternFor, paySearch, type Found, type Pattern } from './regex.js';

type PatternCall = (run: Run, input: string, pattern: Pattern, extra: unknown) => unknown;

/**
 * Declares a builtin with a pattern as second argument. `flagsAt` is the index of the optional flags, -1 if there are
 * none.
 */
function patternBuiltin(name: string, signature: string, flagsAt: number, call: PatternCall): Builtin {
  const withPattern =
    (pattern: Pattern): BuiltinCall =>
    (run, input, _pattern, extra) =>
      typeof input === 'string' ? call(run, input, pattern, extra) : null;
  return builtin(
    name,
    signature,
    (run, input, source, c, d) => {
      if (typeof input !== 'string') return null;
      const pattern = patternFor(run, source, flagsAt === 2 ? c : flagsAt === 3 ? d : undefined);
      return pattern && call(run, input, pattern, c);
    },
    {
      prepare: (known) => {
        const [source, flags] = [known[1], flagsAt === -1 ? '' : known[flagsAt] === null ? undefined : known[flagsAt]];
        const flagsKnown = flagsAt === -1 || flagsAt >= known.length || typeof flags === 'string';
        if (typeof source !== 'string' || !flagsKnown) return undefined;
        const pattern = compilePattern(source, typeof flags === 'string' ? flags : '');
        if (!pattern)
          throw new Error(`${name}(): the pattern "${source}" isn't supported by the linear-time engine (RE2)`);
        return withPattern(pattern);
      },
    },
  );
}

function matches(run: Run, input: string, pattern: Pattern): boolean {
  paySearch(run, pattern, input.length);
  return pattern.engine.matcher(input).find();
}

function split(run: Run, input: string, pattern: Pattern): string[] {
  const parts: string[] = [];
  let from = 0;
  run.grow(input.length);
  eachMatch(run, pattern, input, ({ start, end }) => {
    if (end === 0) return;
    run.grow(1);
    parts.push(input.slice(from, start));
    from = end;
  });
  parts.push(input.slice(from));
  return parts;
}

function extract(run: Run, input: string, pattern: Pattern): string[] {
  const found: string[] = [];
  eachMatch(run, pattern, input, ({ start, end }) => {
    run.grow(1 + end - start);
    found.push(input.slice(start, end));
  });
  return found;
}

/** Replaces as in Java: `$1`, `${name}`, and a backslash that makes the next character literal. */
function replace(run: Run, input: string, pattern: Pattern, replacement: unknown): string | null {
  if (typeof replacement !== 'string') return null;
  const parts = replacementParts(replacement);
  if (!parts) return null;
  let result = '';
  let from = 0;
  try {
    eachMatch(run, pattern, input, (found) => {
      const text = parts.map((part) => expand(part, found)).join('');
      run.grow(found.start - from + text.length);
      result += input.slice(from, found.start) + text;
      from = found.end;
    });
  } catch (error) {
    if (error instanceof UnknownGroup) return null;
    throw error;
  }
  run.grow(input.length - from);
  return result + input.slice(from);
}

class UnknownGroup extends Error {}

type Part = string | { readonly name: string };

function replacementParts(replacement: string): Part[] | null {
  const parts: Part[] = [];
  for (const [token] of replacement.matchAll(/\\[\s\S]|\$\{[A-Za-z]\w*\}|\$\d+|[^\\$]+|[\s\S]/g)) {
    if (token === '$' || token === '\\') return null;
    if (token.startsWith('\\')) parts.push(token.slice(1));
    else if (token.startsWith('$')) parts.push({ name: token.replace(/[${}]/g, '') });
    else parts.push(token);
  }
  return parts;
}

function expand(part: Part, found: Found): string {
  if (typeof part === 'string') return part;
  if (!/^\d/.test(part.name)) return group(found, part.name);
  let digits = part.name;
  while (digits.length > 1 && Number(digits) > found.groups) digits = digits.slice(0, -1);
  return group(found, Number(digits)) + part.name.slice(digits.length);
}

function group(found: Found, name: string | number): string {
  if (typeof name === 'number' && name > found.groups) throw new UnknownGroup();
  try {
    return found.group(name) ?? '';
  } catch {
    throw new UnknownGroup();
  }
}

export const patternBuiltins: readonly Builtin[] = [
  patternBuiltin('matches', 'input, pattern, flags?', 2, matches),
  patternBuiltin('replace', 'input, pattern, replacement, flags?', 3, replace),
  patternBuiltin('split', 'string, delimiter', -1, split),
  patternBuiltin('extract', 'string, pattern', -1, extract),
];
