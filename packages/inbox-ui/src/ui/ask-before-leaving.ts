/** Returns `true` while leaving would lose something. */
type Busy = () => boolean;

const reasons = new Set<Busy>();

/**
 * Asks before the window is closed or reloaded, and before `leaveSession` signs out or changes servers, if something
 * would be lost.
 *
 * @param busy returns whether something would be lost now
 * @returns a function that stops asking
 */
export function askBeforeLeaving(busy: Busy = () => true): () => void {
  const warn = (event: BeforeUnloadEvent): void => {
    if (!busy()) return;
    event.preventDefault();
    // Before Chromium 119, only this triggers the prompt.
    event.returnValue = true;
  };
  window.addEventListener('beforeunload', warn);
  reasons.add(busy);
  return () => {
    window.removeEventListener('beforeunload', warn);
    reasons.delete(busy);
  };
}

/** Returns whether leaving now would lose something. */
export function losesByLeaving(): boolean {
  return [...reasons].some((busy) => busy());
}
