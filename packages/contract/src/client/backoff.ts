/**
 * Returns the delay before retry number `attempt` (from 0), in ms: exponential with full jitter, so that clients do not
 * retry in step.
 */
export function computeBackoffMs(attempt: number, baseMs: number, maxMs: number): number {
  return Math.random() * Math.min(maxMs, baseMs * 2 ** Math.min(attempt, 30));
}

/** Resolves after a delay; rejects with the abort reason of the signal if it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(getAbortReason(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) {
      abort();
    } else {
      signal?.addEventListener('abort', abort, { once: true });
    }
  });
}

/** Returns the abort reason of a signal; Node 16 does not support reasons. */
export function getAbortReason(signal?: AbortSignal): unknown {
  return signal?.reason ?? Object.assign(new Error('This operation was aborted'), { name: 'AbortError' });
}
