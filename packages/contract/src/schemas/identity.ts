import { MAX_NAME_LENGTH } from '@countersign/model';
import { z } from 'zod';

/**
 * Characters that could make two names look the same: control and format characters, unpaired surrogates, line and
 * paragraph separators, characters that Unicode does not display by default (fillers such as U+3164, variation
 * selectors, tags), and blanks that look like a space.
 */
const CONFUSABLE_CHARACTERS =
  '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u2800';
const IDENTITY_PATTERN = new RegExp(`^(?!\\[erased\\]$)(?! |\\u3000)[^${CONFUSABLE_CHARACTERS}]+(?<! |\\u3000)$`, 'u');

/**
 * The name of a person, a service or a group, as a user enters it. It is normalised (Unicode NFC), so that differently
 * typed forms of a name mean the same person.
 */
export const identitySchema = z
  .string()
  .normalize('NFC')
  .min(1)
  .max(MAX_NAME_LENGTH)
  .regex(IDENTITY_PATTERN, 'Must not contain invisible characters, and must not start or end with a space.')
  .meta({
    description: 'Subject of a token, or a group. Normalised to Unicode NFC; invisible characters are refused.',
    example: 'ada',
  });

/** Returns the normalised form of a name; `undefined` if the name is not valid. */
export function toIdentity(text: string): string | undefined {
  return identitySchema.safeParse(text).data;
}
