/** Scripts in which U+200C and U+200D determine how letters join (Unicode 17, 23.2). */
const JOINING_SCRIPTS = [
  'Arab',
  'Syrc',
  'Nkoo',
  'Mong',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
  'Sinh',
  'Khmr',
  'Mymr',
  'Laoo',
  'Thai',
  'Tibt',
]
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const EMOJI = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}';

/**
 * Invisible characters that change a text: controls; Default_Ignorable_Code_Point of Unicode (characters that reverse
 * the direction of the following text, CVE-2021-42574; zero-width characters, fillers, tags and variation selectors,
 * which can hide a text from users but not from language models); blanks that are not white space; unpaired surrogates;
 * and stacked marks on one letter that would cover the lines around it. Does not match line breaks, tabs, and joiners
 * between letters or emoji that they join.
 */
const INVISIBLE = new RegExp(
  [
    '(?!\\r\\n)[^\\P{Cc}\\t\\n]',
    '(?![\\u200c\\u200d\\ufe0e\\ufe0f\\u180b-\\u180d\\u180f])\\p{Default_Ignorable_Code_Point}',
    '[\\p{Zl}\\p{Zp}\\p{Cs}\\u2800\\ufff9-\\ufffb\\u{13430}-\\u{1345f}\\u{1d159}]',
    `(?<![${JOINING_SCRIPTS}])\\u200c`,
    `(?<![${JOINING_SCRIPTS}${EMOJI}\\ufe0f])\\u200d`,
    `(?<![${EMOJI}])(?!(?<=[0-9#*])\\ufe0f\\u20e3)[\\ufe0e\\ufe0f]`,
    '(?<!\\p{scx=Mong})[\\u180b-\\u180d\\u180f]',
    '(?<=\\p{M}{5})\\p{M}',
  ].join('|'),
  'gu',
);

/** Matches most texts, so it is a cheap first check. */
const PRINTABLE_ASCII = /^[\t\n\x20-\x7e]*$/;

/**
 * Returns a text with its invisible characters escaped: `⟦U+202E⟧`. Use it wherever users rely on what they read:
 * names, titles, subjects, comparisons, comments.
 */
export function escapeInvisible(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  return text.replace(INVISIBLE, escapeCharacter);
}

/**
 * Returns the parts of a text with its invisible characters escaped, like {@link escapeInvisible} does for the whole
 * text: whether a character is visible can depend on the parts around its own. No part may end within a character.
 */
export function escapeInvisibleParts(parts: readonly string[]): string[] {
  const text = parts.join('');
  if (PRINTABLE_ASCII.test(text)) return [...parts];
  const matches = [...text.matchAll(INVISIBLE)];
  let nextMatch = 0;
  let start = 0;
  return parts.map((part) => {
    const end = start + part.length;
    let escaped = '';
    for (let match = matches[nextMatch]; match !== undefined && match.index < end; match = matches[nextMatch]) {
      escaped += text.slice(start, match.index) + escapeCharacter(match[0]);
      start = match.index + match[0].length;
      nextMatch += 1;
    }
    escaped += text.slice(start, end);
    start = end;
    return escaped;
  });
}

function escapeCharacter(character: string): string {
  return `⟦U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟧`;
}
