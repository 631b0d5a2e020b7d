import { z } from 'zod';

/** A character, one with Ctrl or Command, or two characters one after the other. */
const KEYS = /^(?:Mod\+)?[!-~\u00a1-\uffff]$|^[!-~] [!-~]$/u;

const schema = z.object({
  /** By action; `null`: the action has no key. */
  keys: z.record(z.string().max(60), z.string().regex(KEYS).nullable()),
  /** Whether characters alone do anything (WCAG 2.2, 2.1.4). */
  characters: z.boolean(),
});

/** What a person has set about keys. */
export type KeySettings = Readonly<z.output<typeof schema>>;

export const USUAL_KEYS: KeySettings = Object.freeze({
  keys: Object.freeze({}) as KeySettings['keys'],
  characters: true,
});

/** What was kept, as far as it can be read; else the keys as they come. */
export function keySettingsOf(kept: unknown): KeySettings {
  const parsed = schema.safeParse(kept);
  return parsed.success ? parsed.data : USUAL_KEYS;
}
