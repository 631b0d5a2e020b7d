/** @throws what the work throws, or `late` once it has taken longer than `ms`; the work goes on then. */
export async function withTimeout<T>(
  ms: number,
  work: Promise<T>,
  late = () => new Error(`timed out after ${ms} ms`),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
