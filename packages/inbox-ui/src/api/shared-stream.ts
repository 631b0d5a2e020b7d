import type { ChangeMessage } from '@countersign/contract';
import { followChanges, isRefusal, pause, type ChangeStreamOptions, type StreamStatus } from './change-stream.js';

/** How long a tab whose token was refused leaves the feed to others. */
const REFUSED_MS = 30_000;

type SharedMessage =
  | { readonly kind: 'message'; readonly message: ChangeMessage }
  | { readonly kind: 'position'; readonly position: string }
  | { readonly kind: 'status'; readonly status: StreamStatus }
  | { readonly kind: 'hello' };

/**
 * One change feed for all tabs of a person: a browser opens no more than six connections to a server over HTTP/1.1, so that
 * with a feed for each tab the seventh would hang. The tab that holds the lock follows the feed and passes it on; when it is
 * closed, another one gets the lock and goes on where that was: it has been told each position after what comes before it, so
 * that what the last leader could not pass on any more comes again from the server, and nobody has to reload anything. Only
 * where no position was told yet is it `connecting`, and `live` again.
 *
 * A tab whose token is refused lets go of the lock, so that another one leads, and asks for it again after a while.
 *
 * Where the page may not use locks (plain HTTP to another machine), each tab follows the feed itself.
 *
 * @param name of the feed: server and person.
 */
export async function followShared(name: string, options: ChangeStreamOptions): Promise<void> {
  const { signal, onMessage, onStatus } = options;
  if (!('locks' in navigator) || typeof BroadcastChannel === 'undefined')
    return untilAborted(signal, () => followChanges(options));
  const channel = new BroadcastChannel(name);
  let leads = false;
  let status: StreamStatus = 'connecting';
  let position: string | undefined;
  const tell = (shared: SharedMessage): void => channel.postMessage(shared);
  channel.addEventListener('message', ({ data }: MessageEvent<SharedMessage>) => {
    if (data.kind === 'hello') {
      if (!leads) return;
      if (position !== undefined) tell({ kind: 'position', position });
      tell({ kind: 'status', status });
    } else if (data.kind === 'message') onMessage(data.message);
    else if (data.kind === 'position') ({ position } = data);
    else {
      ({ status } = data);
      onStatus(status);
    }
  });
  signal.addEventListener('abort', () => channel.close(), { once: true });
  tell({ kind: 'hello' });
  try {
    await untilAborted(signal, () => navigator.locks.request(name, { signal }, lead));
  } catch (error) {
    if (!signal.aborted) throw error;
  }

  async function lead(): Promise<void> {
    leads = true;
    try {
      if (position === undefined) {
        // What came between the last leader's end and the new feed's beginning, nobody tells: once it is live again,
        // everything is asked for.
        status = 'connecting';
        onStatus(status);
        tell({ kind: 'status', status });
      }
      await followChanges({
        ...options,
        lastEventId: position,
        onPosition: (at) => {
          position = at;
          tell({ kind: 'position', position });
        },
        onMessage: (message) => {
          onMessage(message);
          tell({ kind: 'message', message });
        },
        onStatus: (now) => {
          status = now;
          onStatus(now);
          if (!signal.aborted) tell({ kind: 'status', status: now });
        },
      });
    } finally {
      leads = false;
    }
  }
}

/** Follows again and again: what is refused to a token is not refused forever, as its owner signs in again. */
async function untilAborted(signal: AbortSignal, follow: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      await follow();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await pause(REFUSED_MS, signal);
    }
  }
}
