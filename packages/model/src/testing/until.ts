import { seconds } from './seconds.js';

/** Most conditions hold immediately. The pauses grow, because frequent polling slows down the server under test. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 50;

/**
 * Polls until a condition holds. On timeout, the error names the condition.
 *
 * @param what the condition, as in “this was still not the case: …”
 * @param look returns the awaited value, or false or undefined while there is none
 * @param limit in measured seconds
 * @throws Error if the condition does not hold in time
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  limit = 20,
): Promise<T> {
  const end = performance.now() + seconds(limit);
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`After ${seconds(limit)} ms this was still not the case: ${what}`);
    // eslint-disable-next-line no-restricted-syntax -- the one pause that there is, between two looks
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
