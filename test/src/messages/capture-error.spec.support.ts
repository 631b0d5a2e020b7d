/** Returns the error with which a promise is rejected. */
export async function captureError(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('The promise was not rejected with an Error.');
}
