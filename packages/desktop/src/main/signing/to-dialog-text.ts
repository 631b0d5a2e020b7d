/**
 * Characters that are invisible, change the direction of text, or break the line: controls,
 * Default_Ignorable_Code_Point, and blanks that are not white space. Also combining marks that follow five others.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?<=\p{M}{5})\p{M}/gu;
const SPACES = /[\p{Zs}\t\n\v\f\r]+/gu;

/**
 * Returns untrusted text for a dialog of the operating system: one line, with invisible characters escaped: `⟦U+202E⟧`.
 * Stricter than the window, which keeps joiners of letters and emoji, because users trust system dialogs.
 *
 * @param maxLength in characters; longer text is cut and ends with the number of omitted characters
 */
export function toDialogText(text: string, maxLength: number): string {
  const characters = [...text.replace(SPACES, ' ').replace(/^ | $/g, '')];
  const escapeCharacters = (part: readonly string[]): string =>
    part
      .join('')
      .replace(
        INVISIBLE,
        (character) => `⟦U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟧`,
      );
  if (characters.length <= maxLength) return escapeCharacters(characters);
  return `${escapeCharacters(characters.slice(0, maxLength))} … (${(characters.length - maxLength).toLocaleString('en')} more characters)`;
}
