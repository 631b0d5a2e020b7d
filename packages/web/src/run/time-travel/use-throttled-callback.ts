import { useCallback, useEffect, useRef } from 'react';

/**
 * Returns a function that calls `callback` immediately, and after that at most once every `ms`, with the latest value.
 */
export function useThrottledCallback<T>(callback: (value: T) => void, ms: number): (value: T) => void {
  const latestCallback = useRef(callback);
  latestCallback.current = callback;
  const state = useRef<{
    timer: ReturnType<typeof setTimeout> | undefined;
    pending: { readonly value: T } | undefined;
  }>({ timer: undefined, pending: undefined });
  useEffect(() => {
    const { current } = state;
    return () => {
      clearTimeout(current.timer);
      current.timer = undefined;
      current.pending = undefined;
    };
  }, []);
  return useCallback(
    (value: T) => {
      const { current } = state;
      if (current.timer !== undefined) {
        current.pending = { value };
        return;
      }
      const flush = (): void => {
        const { pending } = current;
        current.pending = undefined;
        current.timer = pending === undefined ? undefined : setTimeout(flush, ms);
        if (pending !== undefined) latestCallback.current(pending.value);
      };
      current.timer = setTimeout(flush, ms);
      latestCallback.current(value);
    },
    [ms],
  );
}
