import type { Token, TokenKind } from './parse-lines.js';

/** Part of a line in one colour. */
export interface ColoredText {
  readonly text: string;
  readonly kind: TokenKind | undefined;
}

/**
 * Splits the parts of a line where its tokens end.
 *
 * @returns the texts of each part; together, they are exactly the part
 */
export function splitByTokens(parts: readonly string[], tokens: readonly Token[]): readonly (readonly ColoredText[])[] {
  let next = 0;
  let start = 0;
  return parts.map((part) => {
    const partEnd = start + part.length;
    const partStart = start;
    const texts: ColoredText[] = [];
    while (start < partEnd) {
      const token = tokens[next];
      const end = Math.min(token?.end ?? partEnd, partEnd);
      if (end > start) texts.push({ text: part.slice(start - partStart, end - partStart), kind: token?.kind });
      start = Math.max(start, end);
      if (token !== undefined && token.end <= start) next += 1;
    }
    return texts;
  });
}
