import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const REST_MS = 250;

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
  restMs = REST_MS,
): readonly [string, (text: string) => void] {
  const [text, setText] = useState(value);
  /** Typed text that has not arrived in the stored value yet: values that arrive before it are older input. */
  const awaited = useRef<string>(undefined);
  const later = useDebouncedCallback((typed: string) => {
    if (typed === value) awaited.current = undefined;
    else onValue(typed);
  }, restMs);
  useEffect(() => {
    // A saved view or the Back button changes the value from outside.
    if (awaited.current === undefined) setText((now) => (now.trim() === value ? now : value));
    else if (awaited.current === value) awaited.current = undefined;
  }, [value]);
  const type = (typed: string): void => {
    setText(typed);
    awaited.current = typed.trim();
    later(typed.trim());
  };
  return [text, type];
}
