import type { ChangeMessage } from '@countersign/contract';
import { followChanges, isRefusal, pause, type ChangeStreamOptions, type StreamStatus } from './change-stream.js';

/** Time for which a tab whose token was refused leaves the feed to other tabs. */
const REFUSAL_PAUSE_MS = 30_000;

type SharedMessage =
  | { readonly kind: 'message'; readonly message: ChangeMessage }
  | { readonly kind: 'position'; readonly position: string }
  | { readonly kind: 'status'; readonly status: StreamStatus }
  | { readonly kind: 'hello' };

/**
 * Shares one change feed between all tabs of a user: over HTTP/1.1 a browser opens at most six connections to a server,
 * so with one feed per tab the seventh would hang. The tab that holds the lock follows the feed and broadcasts it. When
 * that tab closes, another one gets the lock and continues from the last position. Positions are broadcast after the
 * changes before them, so the server repeats every change that the last leader could not broadcast, and no tab needs to
 * reload. If no position is known yet, the status becomes `connecting` and then `live`, so that every tab reloads.
 *
 * A tab whose token is refused releases the lock, so that another tab leads, and requests it again after a while.
 *
 * If locks are not available to the page (plain HTTP to another machine), each tab follows the feed itself.
 *
 * @param name name of the feed, which identifies the server and the user
 */
export async function followSharedChanges(name: string, options: ChangeStreamOptions): Promise<void> {
  const { signal, onMessage, onStatus } = options;
  if (!('locks' in navigator) || typeof BroadcastChannel === 'undefined')
    return retryUntilAborted(signal, () => followChanges(options));
  const channel = new BroadcastChannel(name);
  let isLeader = false;
  let status: StreamStatus = 'connecting';
  let position: string | undefined;
  const broadcast = (sharedMessage: SharedMessage): void => channel.postMessage(sharedMessage);
  channel.addEventListener('message', ({ data }: MessageEvent<SharedMessage>) => {
    if (data.kind === 'hello') {
      if (!isLeader) return;
      if (position !== undefined) broadcast({ kind: 'position', position });
      broadcast({ kind: 'status', status });
    } else if (data.kind === 'message') onMessage(data.message);
    else if (data.kind === 'position') ({ position } = data);
    else {
      ({ status } = data);
      onStatus(status);
    }
  });
  signal.addEventListener('abort', () => channel.close(), { once: true });
  broadcast({ kind: 'hello' });
  try {
    await retryUntilAborted(signal, () => navigator.locks.request(name, { signal }, lead));
  } catch (error) {
    if (!signal.aborted) throw error;
  }

  async function lead(): Promise<void> {
    isLeader = true;
    try {
      if (position === undefined) {
        // Changes between the last leader's end and the new feed's start are lost, so everything is reloaded once the
        // feed is live.
        status = 'connecting';
        onStatus(status);
        broadcast({ kind: 'status', status });
      }
      await followChanges({
        ...options,
        lastEventId: position,
        onPosition: (newPosition) => {
          position = newPosition;
          broadcast({ kind: 'position', position });
        },
        onMessage: (message) => {
          onMessage(message);
          broadcast({ kind: 'message', message });
        },
        onStatus: (newStatus) => {
          status = newStatus;
          onStatus(newStatus);
          if (!signal.aborted) broadcast({ kind: 'status', status: newStatus });
        },
      });
    } finally {
      isLeader = false;
    }
  }
}

/**
 * Calls `follow` until the signal aborts. After a refusal it pauses and tries again, because the user may have signed
 * in again.
 */
async function retryUntilAborted(signal: AbortSignal, follow: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      await follow();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await pause(REFUSAL_PAUSE_MS, signal);
    }
  }
}
