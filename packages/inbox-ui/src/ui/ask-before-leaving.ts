/** What would be lost by leaving, as long as its answer is `true`. */
type Busy = () => boolean;

const reasons = new Set<Busy>();

/**
 * Asks before the window is closed or reloaded, and before `leaveSession` signs out or changes servers, as something
 * would be lost.
 *
 * @param busy whether it would be lost now
 * @returns ends that
 */
export function askBeforeLeaving(busy: Busy = () => true): () => void {
  const warn = (event: BeforeUnloadEvent): void => {
    if (!busy()) return;
    event.preventDefault();
    // Before Chromium 119 this alone asks.
    event.returnValue = true;
  };
  window.addEventListener('beforeunload', warn);
  reasons.add(busy);
  return () => {
    window.removeEventListener('beforeunload', warn);
    reasons.delete(busy);
  };
}

/** Whether leaving now would lose something. */
export function losesByLeaving(): boolean {
  return [...reasons].some((busy) => busy());
}
