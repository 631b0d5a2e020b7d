import { useEffect, useRef, type RefObject } from 'react';

/** Time, in ms, that an element stays in view until it counts as seen: users who move through a list see less. */
const MIN_VIEW_MS = 500;

/**
 * Calls a function once an element has been in view for a moment, in a window that is visible.
 *
 * @param isEnabled whether the element displays what is to be seen
 */
export function useInView<E extends HTMLElement>(onInView: () => void, isEnabled = true): RefObject<E | null> {
  const element = useRef<E>(null);
  const latest = useRef(onInView);
  latest.current = onInView;
  useEffect(() => {
    const { current: target } = element;
    if (target === null || !isEnabled) return undefined;
    let isIntersecting = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = (): void => {
      clearTimeout(timer);
      if (!isIntersecting || document.visibilityState !== 'visible') return;
      timer = setTimeout(() => {
        stop();
        latest.current();
      }, MIN_VIEW_MS);
    };
    const observer = new IntersectionObserver((entries) => {
      isIntersecting = entries.at(-1)?.isIntersecting === true;
      update();
    });
    const stop = (): void => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('visibilitychange', update);
    };
    observer.observe(target);
    document.addEventListener('visibilitychange', update);
    return stop;
  }, [isEnabled]);
  return element;
}
