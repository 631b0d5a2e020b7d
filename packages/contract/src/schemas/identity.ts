import { IDENTITY_MESSAGE, IDENTITY_PATTERN, MAX_NAME_LENGTH } from '@countersign/model';
import { z } from 'zod';

/**
 * The name of a person, a service or a group, as a user enters it. It is normalised (Unicode NFC), so that differently
 * typed forms of a name mean the same person.
 */
export const identitySchema = z
  .string()
  .normalize('NFC')
  .min(1)
  .max(MAX_NAME_LENGTH)
  .regex(IDENTITY_PATTERN, IDENTITY_MESSAGE)
  .meta({
    description: 'Subject of a token, or a group. Normalised to Unicode NFC; invisible characters are refused.',
    example: 'ada',
  });

/** Returns the normalised form of a name; `undefined` if the name is not valid. */
export function toIdentity(text: string): string | undefined {
  return identitySchema.safeParse(text).data;
}
