import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const DEBOUNCE_MS = 250;

/**
 * Manages the text of a field whose value is stored elsewhere, usually in the address. The stored value changes a
 * moment after a key press, so a field that showed only the stored value would lose characters during fast typing.
 *
 * @param value the stored value
 * @param onValue called with the typed text, trimmed, once typing pauses
 * @returns the text to show, and a function that receives typed text
 */
export function useTypedText(
  value: string,
  onValue: (value: string) => void,
  debounceMs = DEBOUNCE_MS,
): readonly [string, (text: string) => void] {
  const [text, setText] = useState(value);
  /** Typed text that is not stored yet. Stored values that arrive before it are older input. */
  const pendingText = useRef<string>(undefined);
  const reportDebounced = useDebouncedCallback((typed: string) => {
    if (typed === value) pendingText.current = undefined;
    else onValue(typed);
  }, debounceMs);
  useEffect(() => {
    // A saved view or the Back button changes the value from outside.
    if (pendingText.current === undefined)
      setText((currentText) => (currentText.trim() === value ? currentText : value));
    else if (pendingText.current === value) pendingText.current = undefined;
  }, [value]);
  const changeText = (typed: string): void => {
    setText(typed);
    pendingText.current = typed.trim();
    reportDebounced(typed.trim());
  };
  return [text, changeText];
}
