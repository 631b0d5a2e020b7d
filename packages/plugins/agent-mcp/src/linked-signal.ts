/**
 * Does some work with a signal that is aborted with others, and not by them any more once it is done. Who is given the signal
 * may listen to it for ever: that must not keep anything, nor be heard when it is over.
 */
export async function withLinkedSignal<T>(
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const undo = signals.flatMap((signal) => {
    if (signal === undefined) return [];
    const abort = (): void => own.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    return [() => signal.removeEventListener('abort', abort)];
  });
  try {
    return await work(own.signal);
  } finally {
    for (const each of undo) each();
  }
}
