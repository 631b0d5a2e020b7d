import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const DEBOUNCE_MS = 250;

/**
 * Manages the text of a field whose value is stored elsewhere, usually in the address. The stored value arrives a
 * moment after a key press, so a field that showed only it would lose letters of fast typists.
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
  /** Typed text that has not arrived in the stored value yet: values that arrive before it are older input. */
  const pendingText = useRef<string>(undefined);
  const reportDebounced = useDebouncedCallback((typed: string) => {
    if (typed === value) pendingText.current = undefined;
    else onValue(typed);
  }, debounceMs);
  useEffect(() => {
    // A saved view or the Back button changes the value from outside.
    if (pendingText.current === undefined) setText((now) => (now.trim() === value ? now : value));
    else if (pendingText.current === value) pendingText.current = undefined;
  }, [value]);
  const changeText = (typed: string): void => {
    setText(typed);
    pendingText.current = typed.trim();
    reportDebounced(typed.trim());
  };
  return [text, changeText];
}
