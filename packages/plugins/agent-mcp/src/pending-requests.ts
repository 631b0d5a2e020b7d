import type { OutboundStream } from '@countersign/core/plugin';
import { follow } from './linked-signal.js';

export type RequestId = string | number;

/** Maximum number of event ids that are remembered. */
const MAX_EVENTS = 10_000;
/** Minimum pause between two attempts to resume a stream, in milliseconds: a server may request none. */
const MIN_PAUSE_MS = 500;

interface Pending {
  /** Aborted when no one waits for the response any longer. */
  readonly stop: AbortController;
  /** Removes the listener from the connection's signal, which lives longer. */
  unfollow(): void;
  stream: OutboundStream | undefined;
  /** Time of the last resumption of the stream. */
  resumedAt: number;
}

/** The requests of one connection that have no response yet, and the streams of their responses. */
export class PendingRequests {
  readonly #pending = new Map<RequestId, Pending>();
  /** Requests by the id of an event after which their stream resumes. */
  readonly #byEvent = new Map<string, RequestId>();

  /**
   * Adds a request.
   *
   * @param connection the signal that aborts when the connection closes
   * @returns a signal that aborts when the connection closes or the request is cancelled
   */
  begin(id: RequestId, connection: AbortSignal | null | undefined): AbortSignal {
    const stop = new AbortController();
    const unfollow = follow(stop, [connection]);
    this.#pending.set(id, { stop, unfollow, stream: undefined, resumedAt: Number.NEGATIVE_INFINITY });
    return stop.signal;
  }

  isWaiting(id: RequestId): boolean {
    return this.#pending.has(id);
  }

  streamBy(id: RequestId, stream: OutboundStream): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) stream.close();
    else pending.stream = stream;
  }

  /**
   * Remembers the request of an event.
   *
   * @param event the id of the event after which the request's stream resumes
   */
  remember(event: string, id: RequestId): void {
    if (!this.#pending.has(id)) return;
    this.#byEvent.delete(event);
    this.#byEvent.set(event, id);
    const [oldest] = this.#byEvent.keys();
    if (this.#byEvent.size > MAX_EVENTS && oldest !== undefined) this.#byEvent.delete(oldest);
  }

  /** Returns the request whose stream reached an event; `undefined` if it is no longer pending. */
  ofEvent(event: string): RequestId | undefined {
    return this.#byEvent.get(event);
  }

  /**
   * Records that a stream is resumed.
   *
   * @returns the time to wait before, in milliseconds
   */
  resume(id: RequestId, now: number): number {
    const pending = this.#pending.get(id);
    if (pending === undefined) return 0;
    const wait = Math.max(0, pending.resumedAt + MIN_PAUSE_MS - now);
    pending.resumedAt = now + wait;
    return wait;
  }

  /** Cancels a request and aborts its signal. */
  cancel(id: RequestId): void {
    const pending = this.#pending.get(id);
    this.end(id);
    pending?.stop.abort();
  }

  /** Removes a request that has its response. */
  end(id: RequestId): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    for (const [event, request] of this.#byEvent) if (request === id) this.#byEvent.delete(event);
    pending?.stream?.close();
    pending?.unfollow();
  }
}
