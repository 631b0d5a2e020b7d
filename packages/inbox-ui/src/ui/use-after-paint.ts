import { startTransition, useEffect, useState } from 'react';

/** A hidden window paints nothing: it counts as painted after this time, in ms. */
const MAX_WAIT_MS = 200;

/**
 * Returns `false` until the first paint and `true` afterwards. Used to delay heavy content that users do not look at
 * first.
 */
export function useAfterPaint(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    const markPainted = (): void => startTransition(() => setPainted(true));
    let afterFrameTimer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      afterFrameTimer = setTimeout(markPainted);
    });
    const fallbackTimer = setTimeout(markPainted, MAX_WAIT_MS);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(afterFrameTimer);
      clearTimeout(fallbackTimer);
    };
  }, []);
  return isPainted;
}
