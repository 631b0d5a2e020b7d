/** Most of what is waited for comes at once; a look at what does not costs the server that it is waited for the more time, the more often. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 50;

/** Looks again and again until something is so; a test that waits in vain says for what. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>, deadlineMs = 20_000): Promise<T> {
  const end = performance.now() + deadlineMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`In ${deadlineMs} ms it never came to this: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
