import { z } from 'zod';

/** A character, a character with Ctrl or Command, or two characters in sequence. */
const keysSchema = z.string().regex(/^(?:Mod\+)?[!-~\u00a1-\uffff]$|^[!-~] [!-~]$/u);
const actionSchema = z.string().regex(/^[A-Za-z]{1,20}\.[A-Za-z-]{1,40}$/);

/**
 * The user's keyboard shortcuts for the window. The list of actions exists only in the window, so this schema checks
 * only the format of the action ids and the number of entries.
 */
export const shortcutSettingsSchema = z.strictObject({
  /** Keys by action; `null` if the action has no keys. */
  keys: z.record(actionSchema, keysSchema.nullable()).refine((keysByAction) => Object.keys(keysByAction).length <= 200),
  /** Whether plain characters trigger actions. */
  characters: z.boolean(),
});

export type ShortcutSettings = Readonly<z.output<typeof shortcutSettingsSchema>>;
