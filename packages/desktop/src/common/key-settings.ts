import { z } from 'zod';

/** A character, one with Ctrl or Command, or two characters one after the other. */
const keys = z.string().regex(/^(?:Mod\+)?[!-~\u00a1-\uffff]$|^[!-~] [!-~]$/u);
const action = z.string().regex(/^[A-Za-z]{1,20}\.[A-Za-z-]{1,40}$/);

/**
 * How a person has set the keys of the window. What the actions are is the window's business; here it is a small text, and no
 * more of it than a keyboard has.
 */
export const keySettingsSchema = z.strictObject({
  /** By action; `null`: none. */
  keys: z.record(action, keys.nullable()).refine((each) => Object.keys(each).length <= 200),
  /** Whether characters alone do anything. */
  characters: z.boolean(),
});

export type KeySettings = Readonly<z.output<typeof keySettingsSchema>>;
