import type { Context } from 'koa';
import { createRefusal } from '../app/problem.js';

/**
 * Limits how long a request may wait for its response. The limit does not apply while the body still arrives or after
 * the response has started, so uploads, downloads and event streams may take any time.
 *
 * The work continues after the limit, since a commit cannot be cancelled.
 *
 * @throws {ApiError} `service_unavailable`
 */
export async function withRequestTimeLimit(ctx: Context, limitMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    const { req, res } = ctx;
    const scheduleCheck = (receivedBytes: number): void => {
      timer = setTimeout(() => {
        if (res.headersSent || ctx.respond === false) return;
        const currentBytes = req.socket.bytesRead;
        if (!req.complete && currentBytes !== receivedBytes) scheduleCheck(currentBytes);
        else
          reject(
            createRefusal(
              'service_unavailable',
              `The server did not respond within ${limitMs / 1_000} s (Limits:RequestTimeout). The request may still be executed. Retry later; a retry with the same Idempotency-Key is safe.`,
            ),
          );
      }, limitMs);
    };
    scheduleCheck(req.socket.bytesRead);
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
