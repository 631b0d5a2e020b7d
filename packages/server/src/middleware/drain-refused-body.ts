import type { Context } from 'koa';

const LINGER_MS = 5_000;

/**
 * Lets a caller whose body was refused read the response. Closing immediately would reset the connection while the
 * caller is still sending, and the response would be lost. The rest of the body is therefore discarded for a moment
 * before the connection ends.
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
