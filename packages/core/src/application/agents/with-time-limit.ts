/** Thrown when work exceeds its time limit. */
export class TimeLimitError extends Error {
  constructor(readonly milliseconds: number) {
    super(`It took longer than ${milliseconds} ms.`);
    this.name = 'TimeLimitError';
  }
}

/**
 * Waits for work up to a time limit, even if the work ignores the signal.
 *
 * @throws {TimeLimitError} if the time limit is exceeded; the reason of `signal` if `signal` is aborted
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
    // Work that reacts to the signal may throw its own error.
    if (either.aborted) throw either.reason;
    throw error;
  } finally {
    clearTimeout(timer);
    stopListening?.();
  }
}

/**
 * Waits briefly for work to end after its time limit.
 *
 * @returns the result, if there is one
 */
export async function afterwards<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  const ended = work.catch(() => undefined);
  return withTimeLimit(milliseconds, new AbortController().signal, () => ended).catch(() => undefined);
}
