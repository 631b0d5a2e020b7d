/** Approximate maximum number of matching steps. */
const MAX_STEPS = 5_000_000;

/**
 * Returns whether matching a string of this length could block the page. The browser's engine backtracks: a pattern
 * with `n` repetitions may need `length ** n` steps, and nested repetitions have no such bound. The result errs
 * on the side of `true`, because the server checks anyway.
 */
export function isCostlyPattern(pattern: string, length: number): boolean {
  const repetitions = countRepetitions(pattern);
  return repetitions > 0 && (length + 1) ** (repetitions + (pattern.startsWith('^') ? 0 : 1)) > MAX_STEPS;
}

/**
 * Returns the number of repetitions in a pattern; infinite for a nested repetition, a repetition of alternatives, and a
 * backreference.
 */
function countRepetitions(pattern: string): number {
  let repetitions = 0;
  const groups: { choices: boolean }[] = [];
  let closedGroup: { choices: boolean } | undefined;
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index] ?? '';
    const group = groups.at(-1);
    if (character === '\\') {
      if (/[1-9k]/.test(pattern[index + 1] ?? '')) return Infinity;
      index += 1;
    } else if (character === '[') {
      while (index < pattern.length && pattern[index] !== ']') index += pattern[index] === '\\' ? 2 : 1;
    } else if (character === '(') {
      groups.push({ choices: false });
      // The `?` of `(?:`, `(?=` and similar groups is not a repetition.
      if (pattern[index + 1] === '?') index += 1;
    } else if (character === ')') {
      closedGroup = groups.pop();
      const outer = groups.at(-1);
      if (outer !== undefined && closedGroup?.choices === true) outer.choices = true;
      continue;
    } else if ('*+?{'.includes(character)) {
      if (closedGroup?.choices === true) return Infinity;
      repetitions += 1;
      if (group !== undefined) group.choices = true;
    } else if (character === '|' && group !== undefined) group.choices = true;
    closedGroup = undefined;
  }
  return repetitions;
}
