import { isObject } from '../ui/schema/json-object.js';

/** A character, a character with Ctrl or Command, or two characters in sequence. */
const KEYS_PATTERN = /^(?:Mod\+)?[!-~\u00a1-\uffff]$|^[!-~] [!-~]$/u;
const MAX_ACTION_ID_LENGTH = 60;

/** The user's key settings. */
export interface ShortcutSettings {
  /** By action id; `null`: the action has no key. */
  readonly keys: Readonly<Record<string, string | null>>;
  /** Whether plain characters trigger actions (WCAG 2.2, 2.1.4). */
  readonly characters: boolean;
}

export const DEFAULT_SHORTCUT_SETTINGS: ShortcutSettings = Object.freeze({
  keys: Object.freeze({}),
  characters: true,
});

/** Returns the stored settings, or the defaults if they are unreadable. */
export function parseShortcutSettings(stored: unknown): ShortcutSettings {
  if (!isObject(stored)) return DEFAULT_SHORTCUT_SETTINGS;
  const { keys, characters } = stored;
  return isKeysByAction(keys) && typeof characters === 'boolean' ? { keys, characters } : DEFAULT_SHORTCUT_SETTINGS;
}

function isKeysByAction(value: unknown): value is ShortcutSettings['keys'] {
  return (
    isObject(value) &&
    Object.entries(value).every(
      ([action, keys]) =>
        action.length <= MAX_ACTION_ID_LENGTH &&
        (keys === null || (typeof keys === 'string' && KEYS_PATTERN.test(keys))),
    )
  );
}
