import type { EvaluationState } from '../budget.js';
import { defineBuiltin, type Builtin, type BuiltinCall } from './builtin.js';
import { compilePattern, forEachMatch, getPattern, chargeSearch, type PatternMatch, type Pattern } from './regex.js';

type PatternCall = (state: EvaluationState, input: string, pattern: Pattern, thirdArgument: unknown) => unknown;

/**
 * Declares a builtin with a pattern as second argument. `flagsIndex` is the index of the optional flags, -1 if there
 * are none.
 */
function definePatternBuiltin(name: string, signature: string, flagsIndex: number, call: PatternCall): Builtin {
  const withPattern =
    (pattern: Pattern): BuiltinCall =>
    (state, input, _pattern, thirdArgument) =>
      typeof input === 'string' ? call(state, input, pattern, thirdArgument) : null;
  return defineBuiltin(
    name,
    signature,
    (state, input, source, c, d) => {
      if (typeof input !== 'string') return null;
      const pattern = getPattern(state, source, flagsIndex === 2 ? c : flagsIndex === 3 ? d : undefined);
      return pattern && call(state, input, pattern, c);
    },
    {
      prepare: (constants) => {
        const [source, flags] = [
          constants[1],
          flagsIndex === -1 ? '' : constants[flagsIndex] === null ? undefined : constants[flagsIndex],
        ];
        const areFlagsKnown = flagsIndex === -1 || flagsIndex >= constants.length || typeof flags === 'string';
        if (typeof source !== 'string' || !areFlagsKnown) return undefined;
        const pattern = compilePattern(source, typeof flags === 'string' ? flags : '');
        if (!pattern)
          throw new Error(`${name}(): the pattern "${source}" is not supported by the linear-time engine (RE2)`);
        return withPattern(pattern);
      },
    },
  );
}

function matches(state: EvaluationState, input: string, pattern: Pattern): boolean {
  chargeSearch(state, pattern, input.length);
  return pattern.compiled.matcher(input).find();
}

function split(state: EvaluationState, input: string, pattern: Pattern): string[] {
  const parts: string[] = [];
  let from = 0;
  state.chargeSize(input.length);
  forEachMatch(state, pattern, input, ({ start, end }) => {
    if (end === 0) return;
    state.chargeSize(1);
    parts.push(input.slice(from, start));
    from = end;
  });
  parts.push(input.slice(from));
  return parts;
}

function extract(state: EvaluationState, input: string, pattern: Pattern): string[] {
  const results: string[] = [];
  forEachMatch(state, pattern, input, ({ start, end }) => {
    state.chargeSize(1 + end - start);
    results.push(input.slice(start, end));
  });
  return results;
}

/**
 * Replaces all matches as Java does: `$1` and `${name}` insert groups, and a backslash makes the next character
 * literal.
 */
function replace(state: EvaluationState, input: string, pattern: Pattern, replacement: unknown): string | null {
  if (typeof replacement !== 'string') return null;
  const parts = parseReplacement(replacement);
  if (!parts) return null;
  let result = '';
  let from = 0;
  try {
    forEachMatch(state, pattern, input, (match) => {
      const text = parts.map((part) => expandPart(part, match)).join('');
      state.chargeSize(match.start - from + text.length);
      result += input.slice(from, match.start) + text;
      from = match.end;
    });
  } catch (error) {
    if (error instanceof UnknownGroupError) return null;
    throw error;
  }
  state.chargeSize(input.length - from);
  return result + input.slice(from);
}

class UnknownGroupError extends Error {}

type ReplacementPart = string | { readonly name: string };

function parseReplacement(replacement: string): ReplacementPart[] | null {
  const parts: ReplacementPart[] = [];
  for (const [token] of replacement.matchAll(/\\[\s\S]|\$\{[A-Za-z]\w*\}|\$\d+|[^\\$]+|[\s\S]/g)) {
    if (token === '$' || token === '\\') return null;
    if (token.startsWith('\\')) parts.push(token.slice(1));
    else if (token.startsWith('$')) parts.push({ name: token.replace(/[${}]/g, '') });
    else parts.push(token);
  }
  return parts;
}

function expandPart(part: ReplacementPart, match: PatternMatch): string {
  if (typeof part === 'string') return part;
  if (!/^\d/.test(part.name)) return getGroup(match, part.name);
  let digits = part.name;
  while (digits.length > 1 && Number(digits) > match.groupCount) digits = digits.slice(0, -1);
  return getGroup(match, Number(digits)) + part.name.slice(digits.length);
}

function getGroup(match: PatternMatch, name: string | number): string {
  if (typeof name === 'number' && name > match.groupCount) throw new UnknownGroupError();
  try {
    return match.group(name) ?? '';
  } catch {
    throw new UnknownGroupError();
  }
}

export const patternBuiltins: readonly Builtin[] = [
  definePatternBuiltin('matches', 'input, pattern, flags?', 2, matches),
  definePatternBuiltin('replace', 'input, pattern, replacement, flags?', 3, replace),
  definePatternBuiltin('split', 'string, delimiter', -1, split),
  definePatternBuiltin('extract', 'string, pattern', -1, extract),
];
