/**
 * Waits for `work` for at most `ms`. The work itself is not stopped.
 *
 * @throws the error of the work, or that of `createError` if the work takes longer than `ms`
 */
export async function withTimeout<T>(
  ms: number,
  work: Promise<T>,
  createError = () => new Error(`timed out after ${ms} ms`),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(createError()), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
