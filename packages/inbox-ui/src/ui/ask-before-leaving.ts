/** Function that returns whether something would be lost if the user left now. */
type UnsavedWorkCheck = () => boolean;

const unsavedWorkChecks = new Set<UnsavedWorkCheck>();

/**
 * Asks before the window is closed or reloaded, and before `leaveSession` signs out or changes servers, if something
 * would be lost.
 *
 * @param hasWorkToLose returns whether something would be lost now
 * @returns a function that stops asking
 */
export function askBeforeLeaving(hasWorkToLose: UnsavedWorkCheck = () => true): () => void {
  const warn = (event: BeforeUnloadEvent): void => {
    if (!hasWorkToLose()) return;
    event.preventDefault();
    // Before Chromium 119, only this triggers the prompt.
    event.returnValue = true;
  };
  window.addEventListener('beforeunload', warn);
  unsavedWorkChecks.add(hasWorkToLose);
  return () => {
    window.removeEventListener('beforeunload', warn);
    unsavedWorkChecks.delete(hasWorkToLose);
  };
}

/** Returns whether something would be lost if the user left now. */
export function hasUnsavedWork(): boolean {
  return [...unsavedWorkChecks].some((busy) => busy());
}
