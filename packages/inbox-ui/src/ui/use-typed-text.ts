import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const REST_MS = 250;

/**
 * The text of a field whose value is kept elsewhere, in the address most of the time. That comes back a moment after a key:
 * a field that showed it, and nothing else, would lose the letters of whoever types faster.
 *
 * @param value as it is kept
 * @param onValue is told what was typed, without space around it, once the typing rests
 * @returns what the field shows, and takes what is typed.
 */
export function useTypedText(
  value: string,
  onValue: (value: string) => void,
  restMs = REST_MS,
): readonly [string, (text: string) => void] {
  const [text, setText] = useState(value);
  /** What was typed and has not come back yet: what comes before it is what was typed before. */
  const awaited = useRef<string>(undefined);
  const later = useDebouncedCallback((typed: string) => {
    if (typed === value) awaited.current = undefined;
    else onValue(typed);
  }, restMs);
  useEffect(() => {
    // A view that is chosen, or the way back, sets it from elsewhere.
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
