import { seconds } from './seconds.js';

/** Most of what is waited for comes at once; a look at what does not costs the server that it is waited for the more time, the more often. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 50;

/**
 * Looks again and again until something is so; a test that waits in vain says for what.
 *
 * @param what as in “it never came to this: …”
 * @param look gives what was waited for, or false or undefined as long as it is not so
 * @param limit in measured seconds
 * @throws Error where it is not so in time
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
    if (performance.now() > end) throw new Error(`In ${seconds(limit)} ms it never came to this: ${what}`);
    // eslint-disable-next-line no-restricted-syntax -- the one pause that there is, between two looks
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
