import { setTimeout as wait } from 'node:timers/promises';
import { isModelError } from '../model-provider.js';

export interface AskAgainOptions {
  readonly maxRetries: number;
  readonly signal: AbortSignal;
}

const FIRST_WAIT_MS = 500;
/** Whoever asks for longer is asked again by the engine, which holds no worker meanwhile. */
const LONGEST_WAIT_MS = 8_000;

/**
 * Asks a model, and once more where it is busy and has answered nothing: after what it asks for, or a while that doubles.
 *
 * @param attempt calls `answered` as soon as an answer has begun, of which tokens are paid for
 * @throws what the last attempt threw, or what the signal was aborted with
 */
export async function retryModelRequest<T>(
  attempt: (answered: () => void) => Promise<T>,
  { maxRetries, signal }: AskAgainOptions,
): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    signal.throwIfAborted();
    let hasAnswered = false;
    try {
      return await attempt(() => {
        hasAnswered = true;
      });
    } catch (error) {
      signal.throwIfAborted();
      const waitMs = waitOf(error, retries);
      if (hasAnswered || retries >= maxRetries || waitMs === undefined) throw error;
      await wait(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

function waitOf(error: unknown, retries: number): number | undefined {
  // What took its time once does so again: that is for the engine.
  if (!isModelError(error) || !error.retryable || error.code === 'model_timeout') return undefined;
  const waitMs = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** retries * (1 - Math.random() * 0.25);
  return waitMs > LONGEST_WAIT_MS ? undefined : waitMs;
}
