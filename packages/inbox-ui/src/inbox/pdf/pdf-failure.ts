/** Reason why a PDF, or a page of it, is not displayed. */
export type PdfFailureReason = 'password' | 'damaged' | 'slow';

/** Thrown when a PDF, or a page of it, cannot be displayed. */
export class PdfFailure extends Error {
  override readonly name = 'PdfFailure';

  constructor(readonly reason: PdfFailureReason) {
    super(reason);
  }
}

/** Returns the reason for an error of PDF.js. A file that it cannot read is damaged for us. */
export function toPdfFailure(error: unknown): PdfFailure {
  if (error instanceof PdfFailure) return error;
  return new PdfFailure(error instanceof Error && error.name === 'PasswordException' ? 'password' : 'damaged');
}

/**
 * Waits for a promise for a limited time.
 *
 * @throws {PdfFailure} `slow` after this time
 */
export async function withinTime<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new PdfFailure('slow')), ms);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
