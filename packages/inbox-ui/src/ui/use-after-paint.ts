import { startTransition, useEffect, useState } from 'react';

/** A hidden window paints nothing: it counts as painted after this time, in ms. */
const UNSEEN_MS = 200;

/** Returns false until the first paint, then true: delays heavy content that users do not look at first. */
export function useAfterPaint(): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    const done = (): void => startTransition(() => setPainted(true));
    let behindFrame: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      behindFrame = setTimeout(done);
    });
    const unseen = setTimeout(done, UNSEEN_MS);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(behindFrame);
      clearTimeout(unseen);
    };
  }, []);
  return painted;
}
