import { createClient, ProblemError, type ChangeMessage, type TokenProvider } from '@countersign/contract';

export type StreamStatus = 'connecting' | 'live' | 'broken';

export interface ChangeStreamOptions {
  readonly baseUrl: string;
  readonly token: TokenProvider;
  readonly signal: AbortSignal;
  /** Id of the last event before the start position; if omitted, the stream starts at the current end. */
  readonly lastEventId?: string | undefined;
  onMessage(message: ChangeMessage): void;
  onStatus(status: StreamStatus): void;
  /** Called with the position at which another stream can continue. */
  onPosition?(lastEventId: string): void;
}

/**
 * Follows the change feed until the signal aborts; retries when the client cannot recover on its own.
 *
 * @throws {ProblemError} with 401 or 403 if the server refuses the token; the status is `broken` then.
 */
export async function followChanges(options: ChangeStreamOptions): Promise<void> {
  const { baseUrl, token, signal, onMessage, onStatus } = options;
  const client = createClient({ baseUrl, token, retries: 0, fetch: createReportingFetch(onStatus) });
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

/** Returns a fetch function that reports whether the stream is connected. */
function createReportingFetch(
  onStatus: (status: StreamStatus) => void,
): (url: string, init: RequestInit) => Promise<Response> {
  return async (url, init) => {
    try {
      const response = await globalThis.fetch(url, init);
      if (!response.ok || response.body === null) {
        onStatus('broken');
        return response;
      }
      onStatus('live');
      return new Response(
        withEndCallback(response.body, () => onStatus('broken')),
        { status: response.status, headers: response.headers },
      );
    } catch (error) {
      onStatus('broken');
      throw error;
    }
  };
}

/**
 * Returns a stream of the same bytes that reports its end. A lost connection counts as an end too, which a
 * `TransformStream` would not report.
 */
function withEndCallback(
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

/** Returns whether the error means that the server refuses this token. Another tab may have a valid token. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ProblemError && (error.status === 401 || error.status === 403);
}

/** Waits for the given time. Resolves early, without an error, when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, ms);
    signal.addEventListener('abort', finish, { once: true });
    function finish(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    }
  });
}
