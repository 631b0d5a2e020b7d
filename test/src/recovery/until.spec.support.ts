/** Looks again and again until something is so; a test that waits in vain says for what. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>, deadlineMs = 20_000): Promise<T> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`In ${deadlineMs} ms it never came to this: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
