import { z } from 'zod';

/** A character, a character with Ctrl or Command, or two characters in sequence. */
const KEYS = /^(?:Mod\+)?[!-~\u00a1-\uffff]$|^[!-~] [!-~]$/u;

const schema = z.object({
  /** By action id; `null`: the action has no key. */
  keys: z.record(z.string().max(60), z.string().regex(KEYS).nullable()),
  /** Whether plain characters trigger actions (WCAG 2.2, 2.1.4). */
  characters: z.boolean(),
});

/** The user's key settings. */
export type KeySettings = Readonly<z.output<typeof schema>>;

export const USUAL_KEYS: KeySettings = Object.freeze({
  keys: Object.freeze({}) as KeySettings['keys'],
  characters: true,
});

/** Returns the stored settings, or the defaults if they are unreadable. */
export function keySettingsOf(kept: unknown): KeySettings {
  const parsed = schema.safeParse(kept);
  return parsed.success ? parsed.data : USUAL_KEYS;
}
