import { getAbortReason, computeBackoffMs, sleep } from './backoff.js';
import { parseEventStream, type ServerSentEvent } from './event-stream.js';
import { readChunks } from './fetch-like.js';
import { ProblemError } from './problem-error.js';
import type { RouteCall } from './route-call.js';
import { withConnectionError, isTransient, type RouteArguments, type Transport } from './transport.js';

export interface FollowOptions {
  readonly signal?: AbortSignal;
  /** Resume after this event. */
  readonly lastEventId?: string;
  /**
   * Time without data after which the connection counts as dead (for example after a laptop was asleep), in ms.
   * Default: 90,000. The server sends comments more often.
   */
  readonly idleTimeoutMs?: number;
  /**
   * Called with a position to resume from, after everything before it was consumed. May be called before any event
   * arrives.
   */
  onPosition?(lastEventId: string): void;
  /**
   * Minimum delay before a reconnection, in ms. A random delay is added, whose maximum doubles with each failure up to
   * 30 s. Default: 500; the server may set another minimum.
   */
  readonly reconnectDelayMs?: number;
}

const MAX_RECONNECT_DELAY_MS = 30_000;

/**
 * Follows an event stream across broken connections, resuming after the last event that arrived. Ends on a response
 * with 204, and when the caller stops. Throws if the signal aborts, and for errors that a retry cannot fix.
 */
export async function* followEvents(
  transport: Transport,
  route: RouteCall,
  args: RouteArguments,
  options: FollowOptions,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let lastId = options.lastEventId;
  let delay = options.reconnectDelayMs ?? 500;
  for (let attempt = 0; ; attempt += 1) {
    const connection = new Connection(options);
    let retryAfterMs = 0;
    try {
      const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId };
      const response = await transport.send(
        route,
        { ...args, accept: 'text/event-stream, application/problem+json' },
        { signal: connection.signal, headers },
        (rawResponse) => rawResponse,
      );
      if (response.status === 204) {
        return;
      }
      const onRetry = (ms: number): void => {
        delay = ms;
      };
      const onId = (id: string): void => {
        lastId = id;
        options.onPosition?.(id);
      };
      for await (const event of parseEventStream(connection.withIdleTimeout(readChunks(response.body)), {
        onRetry,
        onId,
      })) {
        attempt = 0;
        lastId = event.id ?? lastId;
        yield event;
        if (event.id !== undefined) options.onPosition?.(event.id);
      }
    } catch (error) {
      if (options.signal?.aborted) {
        throw getAbortReason(options.signal);
      }
      if (!connection.isIdle && !isTransient(error)) {
        throw error;
      }
      retryAfterMs = error instanceof ProblemError ? (error.retryAfterMs ?? 0) : 0;
    } finally {
      connection.close();
    }
    await sleep(
      Math.max(retryAfterMs, delay) + computeBackoffMs(attempt, delay, MAX_RECONNECT_DELAY_MS),
      options.signal,
    );
  }
}

/**
 * One connection. Its signal aborts with the caller's signal (`AbortSignal.any` is too new) and after the idle timeout.
 */
class Connection {
  isIdle = false;
  private readonly controller = new AbortController();
  private readonly abort = (): void => this.controller.abort();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: FollowOptions) {
    if (options.signal?.aborted) {
      this.abort();
    }
    options.signal?.addEventListener('abort', this.abort, { once: true });
    this.restartIdleTimer();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Passes chunks through. Every chunk, including comments, shows that the connection is alive. */
  async *withIdleTimeout(
    chunks: AsyncGenerator<Uint8Array, void, undefined>,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (
        let next = await withConnectionError(chunks.next());
        !next.done;
        next = await withConnectionError(chunks.next())
      ) {
        this.restartIdleTimer();
        yield next.value;
      }
    } finally {
      await chunks.return();
    }
  }

  close(): void {
    clearTimeout(this.timer);
    this.options.signal?.removeEventListener('abort', this.abort);
    this.abort();
  }

  private restartIdleTimer(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.isIdle = true;
      this.abort();
    }, this.options.idleTimeoutMs ?? 90_000);
  }
}
