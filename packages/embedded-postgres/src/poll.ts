import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks again every `intervalMs` until `condition` gives something other than undefined.
 * Gives undefined after `timeoutMs`: what that means is the caller's business.
 */
export async function poll<T>(
  timeoutMs: number,
  intervalMs: number,
  condition: () => Promise<T | undefined> | T | undefined,
): Promise<T | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined) return value;
    if (performance.now() >= deadline) return undefined;
    await delay(intervalMs);
  }
}
