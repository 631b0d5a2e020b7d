/**
 * Characters that are invisible to people but read by language models: control characters except tab and line breaks,
 * characters that change the text direction, tags, fillers, and variation selectors beyond those of emoji, in which any
 * bytes can be hidden.
 */
const HIDDEN_CHARACTERS =
  // eslint-disable-next-line no-misleading-character-class -- the class lists single code points on purpose
  /(?![\t\n\r])\p{Cc}|[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\u{13430}-\u{1345f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

export function hasHiddenCharacters(text: string): boolean {
  return text.search(HIDDEN_CHARACTERS) !== -1 || !text.isWellFormed();
}

/** Replaces hidden characters with escapes such as `\u{202E}`. */
export function escapeHiddenCharacters(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(HIDDEN_CHARACTERS, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`);
}

/** Escapes hidden characters and truncates the text to a maximum length in characters. */
export function escapeAndTruncate(text: string, maxLength: number): string {
  // Truncated before and after: only the part that is kept needs escaping, and escapes make it longer.
  const escaped = escapeHiddenCharacters(text.slice(0, maxLength));
  return text.length <= maxLength && escaped.length <= maxLength
    ? escaped
    : `${escaped.slice(0, maxLength).toWellFormed()} […]`;
}

/** Returns one short line for logs and messages. */
export function toSingleLine(text: string, maxLength = 300): string {
  return escapeAndTruncate(text.replaceAll(/\s+/g, ' ').trim(), maxLength);
}
