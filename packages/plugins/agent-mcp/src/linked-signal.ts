/**
 * Aborts a controller when one of several signals aborts, with the same reason.
 *
 * @returns a function that removes the listeners: a long-lived signal would otherwise keep the controller in memory
 */
export function linkController(
  controller: AbortController,
  signals: readonly (AbortSignal | null | undefined)[],
): () => void {
  const removers = signals.flatMap((signal) => {
    if (signal === undefined || signal === null) return [];
    const abort = (): void => controller.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    return [() => signal.removeEventListener('abort', abort)];
  });
  return () => {
    for (const removeListener of removers) removeListener();
  };
}

/**
 * Runs work with a signal that follows several others until the work is done. Listeners that the work leaves on its
 * signal therefore neither stay in memory nor run later.
 */
export async function withLinkedSignal<T>(
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const unlink = linkController(controller, signals);
  try {
    return await work(controller.signal);
  } finally {
    unlink();
  }
}
