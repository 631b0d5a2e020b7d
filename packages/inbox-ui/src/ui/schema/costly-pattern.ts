/** Steps that matching may take, about. */
const MAX_STEPS = 5_000_000;

/**
 * Whether matching a text of this length by this pattern could take so long that the page hangs. The browser's own engine
 * tries again from wherever it could have chosen otherwise: with `n` repetitions that is a power of `n`, and for a repetition
 * within a repetition there is no bound. It says so too often rather than too seldom: the server checks in any case.
 */
export function isCostly(pattern: string, length: number): boolean {
  const choices = choicesOf(pattern);
  return choices > 0 && (length + 1) ** (choices + (pattern.startsWith('^') ? 0 : 1)) > MAX_STEPS;
}

/** How many repetitions a pattern has; infinite where one is within another, has alternatives in it, or looks back. */
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
      // The `?` of `(?:`, `(?=` and the like repeats nothing.
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
