import type { Context } from 'koa';

const LINGER_MS = 5_000;

/**
 * Lets a caller whose body was refused read the answer. Closing at once would reset the connection while it still sends,
 * and it would never see why; so what comes is thrown away for a moment, and then the connection ends.
 */
export function drainRefusedBody({ req, res }: Context): void {
  if (req.complete) return;
  req.resume();
  res.once('finish', () => {
    if (req.complete) return;
    const timer = setTimeout(() => req.socket.destroy(), LINGER_MS);
    timer.unref();
    req.once('close', () => clearTimeout(timer));
  });
}
