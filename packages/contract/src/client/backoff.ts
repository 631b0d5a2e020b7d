/** How long to wait before try number `attempt` (from 0), in ms: exponential with full jitter, so that clients don't return in step. */
export function backoffMs(attempt: number, baseMs: number, maxMs: number): number {
  return Math.random() * Math.min(maxMs, baseMs * 2 ** Math.min(attempt, 30));
}

/** Waits; rejects with the reason of the signal once that aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(abortReason(signal));
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

/** Why a signal aborted; Node 16 knows no reasons. */
export function abortReason(signal?: AbortSignal): unknown {
  return signal?.reason ?? Object.assign(new Error('This operation was aborted'), { name: 'AbortError' });
}
