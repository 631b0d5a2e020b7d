/**
 * Characters that are invisible, change the direction of text, or break the line: controls,
 * Default_Ignorable_Code_Point, and blanks that are not white space. Also combining marks that follow five others.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?<=\p{M}{5})\p{M}/gu;
const SPACES = /[\p{Zs}\t\n\v\f\r]+/gu;

/**
 * Returns untrusted text for a dialog of the operating system: one line, with invisible characters escaped: `⟦U+202E⟧`.
 * Because users trust system dialogs, it is stricter than the window, which keeps joiners of letters and emoji.
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

/** Maximum number of entries of a list that a dialog shows, so that the dialog fits on a screen. */
const MAX_ENTRIES = 8;

/** Returns the lines of a labelled list: one for each entry, and the number of entries that are omitted. */
export function formatDialogList(label: string, entries: readonly string[]): string[] {
  if (entries.length === 0) return [];
  const omittedCount = entries.length - MAX_ENTRIES;
  return [
    `${label}:`,
    ...entries.slice(0, MAX_ENTRIES).map((entry) => `    ${entry}`),
    ...(omittedCount > 0 ? [`    … and ${omittedCount} more, which the window shows`] : []),
  ];
}
