import { createClient, ProblemError, type ChangeMessage, type TokenProvider } from '@countersign/contract';

export type StreamStatus = 'connecting' | 'live' | 'broken';

export interface ChangeStreamOptions {
  readonly baseUrl: string;
  readonly token: TokenProvider;
  readonly signal: AbortSignal;
  /** Begin behind this; from now on where it is left out. */
  readonly lastEventId?: string | undefined;
  onMessage(message: ChangeMessage): void;
  onStatus(status: StreamStatus): void;
  /** Is told where another one could go on. */
  onPosition?(lastEventId: string): void;
}

/**
 * Follows the change feed until the signal aborts; what the client can't heal by itself is tried again.
 *
 * @throws {ProblemError} with 401 or 403 where the server refuses the feed to the token; the status is `broken` then.
 */
export async function followChanges(options: ChangeStreamOptions): Promise<void> {
  const { baseUrl, token, signal, onMessage, onStatus } = options;
  const client = createClient({ baseUrl, token, retries: 0, fetch: reporting(onStatus) });
  let { lastEventId } = options;
  const onPosition = (id: string): void => {
    lastEventId = id;
    options.onPosition?.(id);
  };
  while (!signal.aborted) {
    try {
      for await (const message of client.streamChanges({
        signal,
        onPosition,
        ...(lastEventId === undefined ? {} : { lastEventId }),
      }))
        onMessage(message);
    } catch (error) {
      if (signal.aborted) return;
      onStatus('broken');
      if (isRefusal(error)) throw error;
      await pause(5_000, signal);
    }
  }
}

/** A fetch that tells whether the stream stands. */
function reporting(onStatus: (status: StreamStatus) => void): (url: string, init: RequestInit) => Promise<Response> {
  return async (url, init) => {
    try {
      const response = await globalThis.fetch(url, init);
      if (!response.ok || response.body === null) {
        onStatus('broken');
        return response;
      }
      onStatus('live');
      return new Response(
        tellingItsEnd(response.body, () => onStatus('broken')),
        { status: response.status, headers: response.headers },
      );
    } catch (error) {
      onStatus('broken');
      throw error;
    }
  };
}

/** The same bytes. A connection that is cut is an end as well, which no `TransformStream` tells of. */
function tellingItsEnd(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onEnd: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        onEnd();
        controller.close();
      } catch (error) {
        onEnd();
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Whether the server refuses the feed to this token: another tab may have a better one. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ProblemError && (error.status === 401 || error.status === 403);
}

/** Ends early, without a word, when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
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
