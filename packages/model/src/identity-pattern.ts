/**
 * Characters that could make two names look the same: control and format characters, unpaired surrogates, line and
 * paragraph separators, characters that Unicode does not display by default (fillers such as U+3164, variation
 * selectors, tags), and blanks that look like a space.
 */
const CONFUSABLE_CHARACTERS =
  '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u2800';

/** Names of people, services and groups, in Unicode NFC. */
export const IDENTITY_PATTERN = new RegExp(
  `^(?!\\[erased\\]$)(?! |\\u3000)[^${CONFUSABLE_CHARACTERS}]+(?<! |\\u3000)$`,
  'u',
);

/** Error message for a name that does not match {@link IDENTITY_PATTERN}. */
export const IDENTITY_MESSAGE = 'Must not contain invisible characters, and must not start or end with a space.';
