import {
  createClient,
  ProblemError,
  type ChangeMessage,
  type FetchLike,
  type TokenProvider,
} from '@countersign/contract';
import type { FeedStatus } from '../../common/state.js';

const RETRY_MS = 5_000;

export interface ChangeFeedOptions {
  readonly baseUrl: string;
  readonly fetch: FetchLike;
  readonly token: TokenProvider;
  readonly signal: AbortSignal;
  onMessage(message: ChangeMessage): void;
  onStatus(status: FeedStatus): void;
}

/**
 * Follows the changes of a server until the signal aborts; each attempt continues after the last received change. While
 * the feed is broken, the status is `polling`, and views must poll every few seconds.
 */
export async function followChanges(options: ChangeFeedOptions): Promise<void> {
  const { baseUrl, token, signal, onMessage, onStatus } = options;
  const client = createClient({ baseUrl, token, retries: 0, fetch: createReportingFetch(options.fetch, onStatus) });
  let lastEventId: string | undefined;
  onStatus('connecting');
  while (!signal.aborted) {
    try {
      for await (const message of client.streamChanges({
        signal,
        ...(lastEventId === undefined ? {} : { lastEventId }),
      })) {
        lastEventId = message.id ?? lastEventId;
        onMessage(message);
      }
    } catch (error) {
      if (signal.aborted) return;
      onStatus('polling');
      // A refused token stays refused until the user signs in again, which starts a new feed.
      if (error instanceof ProblemError && (error.status === 401 || error.status === 403)) return;
      await pause(RETRY_MS, signal);
    }
  }
}

/** Returns a fetch function that reports whether the stream is connected. */
function createReportingFetch(fetch: FetchLike, onStatus: (status: FeedStatus) => void): FetchLike {
  return async (url, init) => {
    try {
      const response = await fetch(url, init);
      const { body } = response;
      if (response.status !== 200 || !(body instanceof ReadableStream)) {
        onStatus('polling');
        return response;
      }
      onStatus('live');
      const reportingBody = body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({ flush: () => onStatus('polling') }),
      );
      return new Response(reportingBody, {
        status: response.status,
        headers: { 'content-type': response.headers.get('content-type') ?? '' },
      });
    } catch (error) {
      onStatus('polling');
      throw error;
    }
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
