/** Function that returns whether something would be lost if the user left now. */
type BusyCheck = () => boolean;

const busyChecks = new Set<BusyCheck>();

/**
 * Asks before the window is closed or reloaded, and before `leaveSession` signs out or changes servers, if something
 * would be lost.
 *
 * @param isBusy returns whether something would be lost now
 * @returns a function that stops asking
 */
export function askBeforeLeaving(isBusy: BusyCheck = () => true): () => void {
  const warn = (event: BeforeUnloadEvent): void => {
    if (!isBusy()) return;
    event.preventDefault();
    // Before Chromium 119, only this triggers the prompt.
    event.returnValue = true;
  };
  window.addEventListener('beforeunload', warn);
  busyChecks.add(isBusy);
  return () => {
    window.removeEventListener('beforeunload', warn);
    busyChecks.delete(isBusy);
  };
}

/** Returns whether something would be lost if the user left now. */
export function hasUnsavedWork(): boolean {
  return [...busyChecks].some((busy) => busy());
}
