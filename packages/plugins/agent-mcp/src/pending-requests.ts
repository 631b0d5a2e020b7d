import type { OutboundStream } from '@countersign/core/plugin';
import { follow } from './linked-signal.js';

export type RequestId = string | number;

/** Events whose requests are remembered. */
const MAX_EVENTS = 10_000;
/** Between two attempts to go on with a stream, in milliseconds: a server may ask for none. */
const MIN_PAUSE_MS = 500;

interface Pending {
  /** Aborted where nobody waits for the answer any more. */
  readonly stop: AbortController;
  /** Lets go of the connection, which lives longer. */
  unfollow(): void;
  stream: OutboundStream | undefined;
  /** When its stream was last taken up again. */
  resumedAt: number;
}

/** The requests of one connection that have no answer yet, and the streams by which they are answered. */
export class PendingRequests {
  readonly #pending = new Map<RequestId, Pending>();
  /** By the id of an event, behind which its stream goes on. */
  readonly #byEvent = new Map<string, RequestId>();

  /**
   * @param connection is aborted where the connection is closed
   * @returns what is aborted then, and where nobody waits for the answer any more
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

  /** @param event behind which the stream of a request goes on */
  remember(event: string, id: RequestId): void {
    if (!this.#pending.has(id)) return;
    this.#byEvent.delete(event);
    this.#byEvent.set(event, id);
    const [oldest] = this.#byEvent.keys();
    if (this.#byEvent.size > MAX_EVENTS && oldest !== undefined) this.#byEvent.delete(oldest);
  }

  /** The request whose stream went as far as an event; `undefined` where nobody waits for it any more. */
  ofEvent(event: string): RequestId | undefined {
    return this.#byEvent.get(event);
  }

  /** Takes note that a stream is taken up again. @returns how long to wait first, in milliseconds */
  resume(id: RequestId, now: number): number {
    const pending = this.#pending.get(id);
    if (pending === undefined) return 0;
    const wait = Math.max(0, pending.resumedAt + MIN_PAUSE_MS - now);
    pending.resumedAt = now + wait;
    return wait;
  }

  /** Nobody waits for its answer any more. */
  cancel(id: RequestId): void {
    const pending = this.#pending.get(id);
    this.end(id);
    pending?.stop.abort();
  }

  /** It has its answer. */
  end(id: RequestId): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    for (const [event, request] of this.#byEvent) if (request === id) this.#byEvent.delete(event);
    pending?.stream?.close();
    pending?.unfollow();
  }
}
