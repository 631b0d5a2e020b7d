/** Result of a key press while the user sets a key. */
export type KeyPressResult =
  | { readonly kind: 'keys'; readonly keys: string }
  /** The first key of a sequence. */
  | { readonly kind: 'first' }
  | { readonly kind: 'none' }
  | { readonly kind: 'leave' }
  /** A reserved key. */
  | { readonly kind: 'kept' }
  /** Not a key yet: a modifier that is held while another key is pressed. */
  | { readonly kind: 'held' };

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** First key of all sequences, so it cannot be a shortcut on its own. */
const SEQUENCE_PREFIX = 'g';
/** Reserved with Ctrl or Command: editing, zoom, windows and similar system shortcuts. */
const RESERVED_WITH_MOD = 'acfilmnopqrtvwxyz+-=0';

/**
 * Interprets a key press while the user sets a key.
 *
 * @param isSecondKey whether the first key of a sequence was pressed before
 */
export function readPressedKeys({ key, ctrlKey, metaKey, altKey }: KeyPress, isSecondKey: boolean): KeyPressResult {
  if (['Shift', 'Control', 'Alt', 'AltGraph', 'Meta'].includes(key)) return { kind: 'held' };
  if (key === 'Escape' || key === 'Tab') return { kind: 'leave' };
  if (key === 'Backspace' || key === 'Delete') return { kind: 'none' };
  if ([...key].length !== 1 || key === ' ' || altKey) return { kind: 'kept' };
  if (ctrlKey || metaKey)
    return isSecondKey || RESERVED_WITH_MOD.includes(key.toLowerCase())
      ? { kind: 'kept' }
      : { kind: 'keys', keys: `Mod+${key.toLowerCase()}` };
  if (isSecondKey) return { kind: 'keys', keys: `${SEQUENCE_PREFIX} ${key}` };
  return key === SEQUENCE_PREFIX ? { kind: 'first' } : { kind: 'keys', keys: key };
}
