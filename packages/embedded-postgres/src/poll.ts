import { setTimeout as delay } from 'node:timers/promises';

/**
 * Calls `condition` every `intervalMs` until it returns a defined value, and returns that value. Returns `undefined`
 * after `timeoutMs`.
 */
export async function pollUntil<T>(
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
