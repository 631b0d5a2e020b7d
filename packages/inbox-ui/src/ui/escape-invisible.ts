/** Scripts in which U+200C and U+200D decide how letters join (Unicode 17, 23.2). */
const JOINING = [
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
 * What is not seen and changes what is: controls; what Unicode says is not to be shown (Default_Ignorable_Code_Point: what turns
 * the direction of what follows around, CVE-2021-42574, what has no width, fillers, tags and variation selectors, in which
 * language models read what people don't see); blanks that are no white space; halves of characters; and of marks upon one
 * letter those that would flood the lines around it. What joins letters and emoji is left alone where it does that, and
 * line breaks and tabs are.
 */
const UNSEEN = new RegExp(
  [
    '(?!\\r\\n)[^\\P{Cc}\\t\\n]',
    '(?![\\u200c\\u200d\\ufe0e\\ufe0f\\u180b-\\u180d\\u180f])\\p{Default_Ignorable_Code_Point}',
    '[\\p{Zl}\\p{Zp}\\p{Cs}\\u2800\\ufff9-\\ufffb\\u{13430}-\\u{1345f}\\u{1d159}]',
    `(?<![${JOINING}])\\u200c`,
    `(?<![${JOINING}${EMOJI}\\ufe0f])\\u200d`,
    `(?<![${EMOJI}])(?!(?<=[0-9#*])\\ufe0f\\u20e3)[\\ufe0e\\ufe0f]`,
    '(?<!\\p{scx=Mong})[\\u180b-\\u180d\\u180f]',
    '(?<=\\p{M}{5})\\p{M}',
  ].join('|'),
  'gu',
);

/** Most texts are that, and known as that at once. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;

/**
 * A text as it is, with what nobody would see of it named: `⟦U+202E⟧`. To be used wherever somebody relies on what they read:
 * names, titles, what is approved, what is compared, what somebody said.
 */
export function escapeInvisible(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(
    UNSEEN,
    (character) => `⟦U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟧`,
  );
}
