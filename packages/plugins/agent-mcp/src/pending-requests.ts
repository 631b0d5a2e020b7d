import type { OutboundStream } from '@countersign/core/plugin';
import { linkController } from './linked-signal.js';

export type RequestId = string | number;

/** Maximum number of event ids that are remembered. */
const MAX_EVENTS = 10_000;
/** Minimum pause between two attempts to resume a stream, in milliseconds: a server may request none. */
const MIN_PAUSE_MS = 500;

interface PendingRequest {
  /** Aborted when no one waits for the response any longer. */
  readonly controller: AbortController;
  /** Removes the listener from the connection's signal, which lives longer. */
  unlink(): void;
  stream: OutboundStream | undefined;
  /** Time of the last resumption of the stream. */
  resumedAt: number;
}

/** The requests of one connection that have no response yet, and the streams of their responses. */
export class PendingRequests {
  readonly #pending = new Map<RequestId, PendingRequest>();
  /** Request ids by the id of an event after which the stream of the request resumes. */
  readonly #idsByEvent = new Map<string, RequestId>();

  /**
   * Adds a request.
   *
   * @param connectionSignal the signal that aborts when the connection closes
   * @returns a signal that aborts when the connection closes or the request is cancelled
   */
  add(id: RequestId, connectionSignal: AbortSignal | null | undefined): AbortSignal {
    const controller = new AbortController();
    const unlink = linkController(controller, [connectionSignal]);
    this.#pending.set(id, { controller, unlink, stream: undefined, resumedAt: Number.NEGATIVE_INFINITY });
    return controller.signal;
  }

  isPending(id: RequestId): boolean {
    return this.#pending.has(id);
  }

  setStream(id: RequestId, stream: OutboundStream): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) stream.close();
    else pending.stream = stream;
  }

  /**
   * Remembers the request of an event.
   *
   * @param eventId the id of the event after which the request's stream resumes
   */
  rememberEvent(eventId: string, id: RequestId): void {
    if (!this.#pending.has(id)) return;
    this.#idsByEvent.delete(eventId);
    this.#idsByEvent.set(eventId, id);
    const [oldest] = this.#idsByEvent.keys();
    if (this.#idsByEvent.size > MAX_EVENTS && oldest !== undefined) this.#idsByEvent.delete(oldest);
  }

  /**
   * Returns the id of the request whose stream reached an event; `undefined` if the event is unknown, or the request is
   * no longer pending.
   */
  findByEvent(eventId: string): RequestId | undefined {
    return this.#idsByEvent.get(eventId);
  }

  /**
   * Records that a stream is resumed.
   *
   * @returns the time to wait before the stream is resumed, in milliseconds
   */
  scheduleResume(id: RequestId, now: number): number {
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
    pending?.controller.abort();
  }

  /** Removes a request that is no longer pending, and closes its stream. */
  end(id: RequestId): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    for (const [eventId, requestId] of this.#idsByEvent) if (requestId === id) this.#idsByEvent.delete(eventId);
    pending?.stream?.close();
    pending?.unlink();
  }
}
