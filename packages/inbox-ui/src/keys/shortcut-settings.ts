import { z } from 'zod';

/** A character, a character with Ctrl or Command, or two characters in sequence. */
const KEYS_PATTERN = /^(?:Mod\+)?[!-~\u00a1-\uffff]$|^[!-~] [!-~]$/u;

const schema = z.object({
  /** By action id; `null`: the action has no key. */
  keys: z.record(z.string().max(60), z.string().regex(KEYS_PATTERN).nullable()),
  /** Whether plain characters trigger actions (WCAG 2.2, 2.1.4). */
  characters: z.boolean(),
});

/** The user's key settings. */
export type ShortcutSettings = Readonly<z.output<typeof schema>>;

export const DEFAULT_SHORTCUT_SETTINGS: ShortcutSettings = Object.freeze({
  keys: Object.freeze({}) as ShortcutSettings['keys'],
  characters: true,
});

/** Returns the stored settings, or the defaults if they are unreadable. */
export function parseShortcutSettings(stored: unknown): ShortcutSettings {
  const parsed = schema.safeParse(stored);
  return parsed.success ? parsed.data : DEFAULT_SHORTCUT_SETTINGS;
}
