/** Aborts with other signals, for their reasons. @returns what lets go of them: some live long, and would keep what follows them */
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
 * Does some work with a signal that is aborted with others, and not by them any more once it is done. Who is given the signal
 * may listen to it for ever: that must not keep anything, nor be heard when it is over.
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
