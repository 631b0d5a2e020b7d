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
  const timeLimit = new AbortController();
  const timer = setTimeout(() => timeLimit.abort(new TimeLimitError(milliseconds)), milliseconds);
  const combinedSignal = AbortSignal.any([signal, timeLimit.signal]);
  let stopListening: (() => void) | undefined;
  const abortion = new Promise<never>((_, reject) => {
    const stop = (): void =>
      reject(combinedSignal.reason instanceof Error ? combinedSignal.reason : new Error(String(combinedSignal.reason)));
    combinedSignal.addEventListener('abort', stop, { once: true });
    stopListening = () => combinedSignal.removeEventListener('abort', stop);
  });
  try {
    return await Promise.race([work(combinedSignal), abortion]);
  } catch (error) {
    // Work that reacts to the signal may throw its own error.
    if (combinedSignal.aborted) throw combinedSignal.reason;
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
export async function waitForLate<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  const settled = work.catch(() => undefined);
  return withTimeLimit(milliseconds, new AbortController().signal, () => settled).catch(() => undefined);
}
