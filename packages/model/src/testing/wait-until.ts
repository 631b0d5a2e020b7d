import { seconds } from './seconds.js';

/** Most conditions are met immediately. The pauses grow, because frequent polling slows down the server under test. */
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 50;

/**
 * Polls until a condition is met. On timeout, the error names the condition.
 *
 * @param description the condition, as in “condition not met: …”
 * @param check returns the awaited value, or false or undefined if it is not yet available
 * @param limit the time limit in seconds, scaled to the speed of the machine
 * @throws {Error} if the condition is not met in time
 */
export async function waitUntil<T>(
  description: string,
  check: () => Promise<T | undefined | false> | T | undefined | false,
  limit = 20,
): Promise<T> {
  const end = performance.now() + seconds(limit);
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, MAX_PAUSE_MS)) {
    const found = await check();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`Condition not met after ${seconds(limit)} ms: ${description}`);
    // eslint-disable-next-line no-restricted-syntax -- the only pause in tests, between two checks
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
