import { startTransition, useEffect, useState } from 'react';

/** A window that nobody sees paints nothing: then it is taken for painted after that, in ms. */
const UNSEEN_MS = 200;

/** False at first, and true once that has been painted: for what is heavy and not what one looks at first. */
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
