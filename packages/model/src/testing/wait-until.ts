import { seconds } from './seconds.js';

/** Most conditions hold immediately. The pauses grow, because frequent polling slows down the server under test. */
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 50;

/**
 * Polls until a condition holds. On timeout, the error names the condition.
 *
 * @param description the condition, as in “this was still not the case: …”
 * @param check returns the awaited value, or false or undefined while there is none
 * @param limit in measured seconds
 * @throws Error if the condition does not hold in time
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
    if (performance.now() > end)
      throw new Error(`After ${seconds(limit)} ms this was still not the case: ${description}`);
    // eslint-disable-next-line no-restricted-syntax -- the one pause that there is, between two looks
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
