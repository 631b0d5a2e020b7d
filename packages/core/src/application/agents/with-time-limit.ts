/** Work did not come to an end within its time. */
export class TimeLimitError extends Error {
  constructor(readonly milliseconds: number) {
    super(`It took longer than ${milliseconds} ms.`);
    this.name = 'TimeLimitError';
  }
}

/**
 * Waits for work as long as it may take, also where it does not listen to the signal that it is given.
 *
 * @throws {TimeLimitError}; the reason of `signal` once that is aborted
 */
export async function withTimeLimit<T>(
  milliseconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new TimeLimitError(milliseconds)), milliseconds);
  const either = AbortSignal.any([signal, late.signal]);
  let stopListening: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    const stop = (): void => reject(either.reason instanceof Error ? either.reason : new Error(String(either.reason)));
    either.addEventListener('abort', stop, { once: true });
    stopListening = () => either.removeEventListener('abort', stop);
  });
  try {
    return await Promise.race([work(either), aborted]);
  } catch (error) {
    // What listens to the signal may say so in words of its own.
    if (either.aborted) throw either.reason;
    throw error;
  } finally {
    clearTimeout(timer);
    stopListening?.();
  }
}

/** Waits for work whose time is over to end, but not for long. @returns what came of it all the same */
export async function afterwards<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  const ended = work.catch(() => undefined);
  return withTimeLimit(milliseconds, new AbortController().signal, () => ended).catch(() => undefined);
}
