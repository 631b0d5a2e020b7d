/** Thrown when work exceeds its time limit. */
export class TimeLimitError extends Error {
  constructor(readonly milliseconds: number) {
    super(`The time limit of ${milliseconds} ms was exceeded.`);
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
  const abortPromise = new Promise<never>((_, reject) => {
    const onAbort = (): void =>
      reject(combinedSignal.reason instanceof Error ? combinedSignal.reason : new Error(String(combinedSignal.reason)));
    combinedSignal.addEventListener('abort', onAbort, { once: true });
    stopListening = () => combinedSignal.removeEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([work(combinedSignal), abortPromise]);
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
export async function waitForLateResult<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  const settled = work.catch(() => undefined);
  return withTimeLimit(milliseconds, new AbortController().signal, () => settled).catch(() => undefined);
}
