import { RE2JS } from 're2js';
import { MAX_PATTERN_LENGTH, type EvaluationState } from '../budget.js';
import { FeelLimitError } from '../errors.js';

/** Maximum size of the program that a pattern compiles to, as estimated from its text. */
const MAX_PROGRAM_SIZE = 2_000;
/** Work of a search (instructions times characters) that costs one step. */
const WORK_PER_STEP = 16;
/** Base number of steps for compiling a pattern that is not known before the evaluation. */
const BASE_COMPILE_STEPS = 50;
const MAX_CACHED_PATTERNS = 64;

/** A pattern compiled by RE2JS, which searches in linear time, and what determines the cost of a search. */
export interface Pattern {
  readonly compiled: RE2JS;
  readonly size: number;
  /** Whether a successful search may read far beyond its match. */
  readonly readsBeyondMatch: boolean;
}

const cache = new Map<string, Pattern | null>();

/** Compiles a pattern. Returns null if RE2JS does not support it, or for flags other than `s`, `m` and `i`. */
export function compilePattern(pattern: string, flags: string): Pattern | null {
  const size = estimateProgramSize(pattern);
  if (pattern.length > MAX_PATTERN_LENGTH) throw new FeelLimitError('pattern', MAX_PATTERN_LENGTH);
  if (size > MAX_PROGRAM_SIZE) throw new FeelLimitError('pattern', MAX_PROGRAM_SIZE);
  const key = `${flags}/${pattern}`;
  const cachedPattern = cache.get(key);
  if (cachedPattern !== undefined) return cachedPattern;
  const compiled = tryCompile(pattern, flags);
  if (cache.size >= MAX_CACHED_PATTERNS) cache.clear();
  cache.set(key, compiled);
  return compiled;
}

/**
 * Compiles a pattern that is known only during the evaluation. The charged steps do not depend on whether the pattern
 * is cached.
 */
export function getPattern(state: EvaluationState, pattern: unknown, flags: unknown): Pattern | null {
  if (typeof pattern !== 'string' || (flags !== undefined && typeof flags !== 'string')) return null;
  state.chargeSteps(BASE_COMPILE_STEPS + 8 * Math.min(estimateProgramSize(pattern), MAX_PROGRAM_SIZE));
  return compilePattern(pattern, flags ?? '');
}

function tryCompile(pattern: string, flags: string): Pattern | null {
  let bits = 0;
  for (const flag of flags) {
    if (flag === 'i') bits |= RE2JS.CASE_INSENSITIVE;
    else if (flag === 's') bits |= RE2JS.DOTALL;
    else if (flag === 'm') bits |= RE2JS.MULTILINE;
    else return null;
  }
  try {
    const compiled = RE2JS.compile(pattern, bits);
    return { compiled, size: compiled.programSize(), readsBeyondMatch: !BOUNDED_SEARCH_PATTERN.test(pattern) };
  } catch {
    return null;
  }
}

/** Matches patterns in which at most the last part may repeat without bound, so a search stops where its match ends. */
const BOUNDED_SEARCH_PATTERN = /^(?:\^?(?:\\?[^\\()[\]{}|*+?.^$]|\\.|\.|\[(?:\\.|[^\]\\])+\])*[*+]?\$?|[^*+{]*)$/u;

/**
 * Estimates the size of the compiled pattern, with counted repetitions expanded. The estimate is too low for nested
 * repetitions, whose product RE2JS limits to 1,000.
 */
function estimateProgramSize(pattern: string): number {
  let size = pattern.length;
  for (const match of pattern.matchAll(/(.)\{(\d+)(?:,(\d*))?\}/g)) {
    const times = Math.max(Number(match[2]), Number(match[3] || 0));
    size += times * (match[1] === ')' ? match.index + 1 : 1);
  }
  return size;
}

/** Charges the steps for one search in `length` characters. */
export function chargeSearch(state: EvaluationState, pattern: Pattern, length: number): void {
  state.chargeSteps(1 + (length * pattern.size) / WORK_PER_STEP);
}

/** A match: its position and its groups. */
export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  group(index: number | string): string | null;
  readonly groupCount: number;
}

/** Visits all matches from left to right. */
export function forEachMatch(
  state: EvaluationState,
  pattern: Pattern,
  input: string,
  visit: (match: PatternMatch) => void,
): void {
  const matcher = pattern.compiled.matcher(input);
  if (!pattern.readsBeyondMatch) chargeSearch(state, pattern, input.length);
  let from = 0;
  const groupCount = matcher.groupCount();
  for (;;) {
    if (pattern.readsBeyondMatch) chargeSearch(state, pattern, input.length - from);
    else state.chargeSteps(2);
    if (!matcher.find()) return;
    const [start, end] = [matcher.start(), matcher.end()];
    visit({ start, end, groupCount, group: (index) => matcher.group(index) });
    from = end;
  }
}
