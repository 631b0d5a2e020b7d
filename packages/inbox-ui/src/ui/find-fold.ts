/** Limits of a text, in characters (UTF-16 code units) and lines. */
export interface FoldLimits {
  /** Longer text is folded. */
  readonly unfolded: { readonly characters: number; readonly lines: number };
  /** The beginning of folded text that stays visible. */
  readonly visible: { readonly characters: number; readonly lines: number };
}

const TEXT_LIMITS: FoldLimits = {
  unfolded: { characters: 4_000, lines: 60 },
  visible: { characters: 2_500, lines: 40 },
};

/** Returns the length of the beginning that stays visible when a long text is folded; `undefined` for a short text. */
export function findFold(text: string, { unfolded, visible }: FoldLimits = TEXT_LIMITS): number | undefined {
  const lineEnds = findLineEnds(text, unfolded.lines);
  if (text.length <= unfolded.characters && lineEnds.length < unfolded.lines) return undefined;
  const end = Math.min(visible.characters, lineEnds[visible.lines - 1] ?? visible.characters);
  const isWithinPair = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return isWithinPair ? end - 1 : end;
}

/** Returns the positions of the first line breaks. */
function findLineEnds(text: string, count: number): number[] {
  const ends: number[] = [];
  for (let at = text.indexOf('\n'); at !== -1 && ends.length < count; at = text.indexOf('\n', at + 1)) ends.push(at);
  return ends;
}
