/**
 * Aborts a controller when one of several signals aborts, with the same reason.
 *
 * @returns a function that removes the listeners: a long-lived signal would otherwise keep the controller in memory
 */
export function follow(own: AbortController, signals: readonly (AbortSignal | null | undefined)[]): () => void {
  const undo = signals.flatMap((signal) => {
    if (signal === undefined || signal === null) return [];
    const abort = (): void => own.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    return [() => signal.removeEventListener('abort', abort)];
  });
  return () => {
    for (const each of undo) each();
  };
}

/**
 * Runs work with a signal that follows several others until the work is done. The work's signal may be listened to
 * indefinitely; that must not keep anything in memory, nor have an effect later.
 */
export async function withLinkedSignal<T>(
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const unfollow = follow(own, signals);
  try {
    return await work(own.signal);
  } finally {
    unfollow();
  }
}
