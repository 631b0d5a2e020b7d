import { z } from 'zod';

/** A character, a character with Ctrl or Command, or two characters in sequence. */
const keysSchema = z.string().regex(/^(?:Mod\+)?[!-~\u00a1-\uffff]$|^[!-~] [!-~]$/u);
const actionSchema = z.string().regex(/^[A-Za-z]{1,20}\.[A-Za-z-]{1,40}$/);

/**
 * The user's key settings for the window. Only the window knows the actions; here each is a short text, and there are
 * no more than a keyboard has keys.
 */
export const keySettingsSchema = z.strictObject({
  /** By action; `null`: no key. */
  keys: z.record(actionSchema, keysSchema.nullable()).refine((each) => Object.keys(each).length <= 200),
  /** Whether plain characters trigger actions. */
  characters: z.boolean(),
});

export type KeySettings = Readonly<z.output<typeof keySettingsSchema>>;
