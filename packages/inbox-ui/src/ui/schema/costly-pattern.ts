/** Approximate maximum number of matching steps. */
const MAX_STEPS = 5_000_000;

/**
 * Returns whether matching a text of this length could block the page. The browser's engine backtracks: with `n`
 * repetitions it may take the length to the power of `n` steps, and nested repetitions have no bound. The result errs
 * on the side of `true`, because the server checks anyway.
 */
export function isCostly(pattern: string, length: number): boolean {
  const choices = choicesOf(pattern);
  return choices > 0 && (length + 1) ** (choices + (pattern.startsWith('^') ? 0 : 1)) > MAX_STEPS;
}

/**
 * Returns the number of repetitions in a pattern; infinite for a nested repetition, a repetition of alternatives, and a
 * backreference.
 */
function choicesOf(pattern: string): number {
  let choices = 0;
  const groups: { choices: boolean }[] = [];
  let closed: { choices: boolean } | undefined;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? '';
    const group = groups.at(-1);
    if (character === '\\') {
      if (/[1-9k]/.test(pattern[at + 1] ?? '')) return Infinity;
      at += 1;
    } else if (character === '[') {
      while (at < pattern.length && pattern[at] !== ']') at += pattern[at] === '\\' ? 2 : 1;
    } else if (character === '(') {
      groups.push({ choices: false });
      // The `?` of `(?:`, `(?=` and similar groups is not a repetition.
      if (pattern[at + 1] === '?') at += 1;
    } else if (character === ')') {
      closed = groups.pop();
      const outer = groups.at(-1);
      if (outer !== undefined && closed?.choices === true) outer.choices = true;
      continue;
    } else if ('*+?{'.includes(character)) {
      if (closed?.choices === true) return Infinity;
      choices += 1;
      if (group !== undefined) group.choices = true;
    } else if (character === '|' && group !== undefined) group.choices = true;
    closed = undefined;
  }
  return choices;
}
