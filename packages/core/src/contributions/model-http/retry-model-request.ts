import { setTimeout as wait } from 'node:timers/promises';
import { isModelError } from '../model-provider.js';

export interface RetryOptions {
  readonly maxRetries: number;
  readonly signal: AbortSignal;
}

const FIRST_WAIT_MS = 500;
/** For longer delays the engine retries, which occupies no worker in the meantime. */
const MAX_WAIT_MS = 8_000;

/**
 * Sends a model request and retries it after a retryable error other than a timeout, unless a response has started.
 * Waits for the delay that the provider requests, or with exponential backoff.
 *
 * @param attempt must call `onResponseStarted` when a response starts, because its tokens are paid for
 * @throws the error of the last attempt, or the signal's abort reason
 */
export async function retryModelRequest<T>(
  attempt: (onResponseStarted: () => void) => Promise<T>,
  { maxRetries, signal }: RetryOptions,
): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    signal.throwIfAborted();
    let hasResponseStarted = false;
    try {
      return await attempt(() => {
        hasResponseStarted = true;
      });
    } catch (error) {
      signal.throwIfAborted();
      const waitMs = retryDelayMs(error, retries);
      if (hasResponseStarted || retries >= maxRetries || waitMs === undefined) throw error;
      await wait(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

function retryDelayMs(error: unknown, retries: number): number | undefined {
  // A request that timed out would probably time out again, so only the engine retries it.
  if (!isModelError(error) || !error.retryable || error.code === 'model_timeout') return undefined;
  const waitMs = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** retries * (1 - Math.random() * 0.25);
  return waitMs > MAX_WAIT_MS ? undefined : waitMs;
}
