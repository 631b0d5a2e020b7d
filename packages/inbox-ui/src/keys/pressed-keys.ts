/** What a key press comes to where somebody sets a key. */
export type Pressed =
  | { readonly kind: 'keys'; readonly keys: string }
  /** The first of two. */
  | { readonly kind: 'first' }
  | { readonly kind: 'none' }
  | { readonly kind: 'leave' }
  /** A key that is kept for something else. */
  | { readonly kind: 'kept' }
  /** Not yet a key: one that is held while another one is pressed. */
  | { readonly kind: 'held' };

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** Begins all pairs of keys, and so is none alone. */
const FIRST = 'g';
/** With Ctrl or Command: editing, zoom, windows and the like, as everywhere on a computer. */
const KEPT_WITH_MOD = 'acfilmnopqrtvwxyz+-=0';

/** @param first whether the first key of two was pressed before */
export function pressedKeys({ key, ctrlKey, metaKey, altKey }: KeyPress, first: boolean): Pressed {
  if (['Shift', 'Control', 'Alt', 'AltGraph', 'Meta'].includes(key)) return { kind: 'held' };
  if (key === 'Escape' || key === 'Tab') return { kind: 'leave' };
  if (key === 'Backspace' || key === 'Delete') return { kind: 'none' };
  if ([...key].length !== 1 || key === ' ' || altKey) return { kind: 'kept' };
  if (ctrlKey || metaKey)
    return first || KEPT_WITH_MOD.includes(key.toLowerCase())
      ? { kind: 'kept' }
      : { kind: 'keys', keys: `Mod+${key.toLowerCase()}` };
  if (first) return { kind: 'keys', keys: `${FIRST} ${key}` };
  return key === FIRST ? { kind: 'first' } : { kind: 'keys', keys: key };
}
