import { useCallback, useEffect, useRef } from 'react';

/** Calls immediately, and then at most once in `ms`, with the latest value. */
export function useThrottled<T>(call: (value: T) => void, ms: number): (value: T) => void {
  const latest = useRef(call);
  latest.current = call;
  const state = useRef<{
    timer: ReturnType<typeof setTimeout> | undefined;
    waiting: { readonly value: T } | undefined;
  }>({ timer: undefined, waiting: undefined });
  useEffect(() => {
    const { current } = state;
    return () => {
      clearTimeout(current.timer);
      current.timer = undefined;
      current.waiting = undefined;
    };
  }, []);
  return useCallback(
    (value: T) => {
      const { current } = state;
      if (current.timer !== undefined) {
        current.waiting = { value };
        return;
      }
      const rest = (): void => {
        const { waiting } = current;
        current.waiting = undefined;
        current.timer = waiting === undefined ? undefined : setTimeout(rest, ms);
        if (waiting !== undefined) latest.current(waiting.value);
      };
      current.timer = setTimeout(rest, ms);
      latest.current(value);
    },
    [ms],
  );
}
