/** What is not seen, turns what is around it, or breaks the line: controls, Default_Ignorable_Code_Point, and blanks that are none. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?<=\p{M}{5})\p{M}/gu;
const SPACES = /[\p{Zs}\t\n\v\f\r]+/gu;

/**
 * A text of somebody's for a dialog of the operating system: one line, with what nobody would see of it named: `⟦U+202E⟧`.
 * Stricter than the window is, which leaves alone what joins letters and emoji: a dialog is believed.
 *
 * @param length in characters; what is longer says how much is left out
 */
export function dialogText(text: string, length: number): string {
  const characters = [...text.replace(SPACES, ' ').replace(/^ | $/g, '')];
  const named = (part: readonly string[]): string =>
    part
      .join('')
      .replace(UNSEEN, (one) => `⟦U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟧`);
  if (characters.length <= length) return named(characters);
  return `${named(characters.slice(0, length))} … (${(characters.length - length).toLocaleString('en')} more)`;
}
