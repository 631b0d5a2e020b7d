/** Text up to these lengths is not folded. */
const MAX_UNFOLDED_CHARACTERS = 4_000;
const MAX_UNFOLDED_LINES = 60;

/** Length of the visible beginning of folded text. */
const VISIBLE_CHARACTERS = 2_500;
const VISIBLE_LINES = 40;

/** Returns the length of the beginning that stays visible when a long text is folded; `undefined` for a short text. */
export function findFold(text: string): number | undefined {
  const lineEnds = findLineEnds(text, MAX_UNFOLDED_LINES);
  if (text.length <= MAX_UNFOLDED_CHARACTERS && lineEnds.length < MAX_UNFOLDED_LINES) return undefined;
  const end = Math.min(VISIBLE_CHARACTERS, lineEnds[VISIBLE_LINES - 1] ?? VISIBLE_CHARACTERS);
  const isWithinPair = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return isWithinPair ? end - 1 : end;
}

/** Returns the positions of the first line breaks. */
function findLineEnds(text: string, count: number): number[] {
  const ends: number[] = [];
  for (let at = text.indexOf('\n'); at !== -1 && ends.length < count; at = text.indexOf('\n', at + 1)) ends.push(at);
  return ends;
}
