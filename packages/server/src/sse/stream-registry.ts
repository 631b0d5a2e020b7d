import { createRefusal } from '../app/problem.js';
import type { Principal } from '../auth/principal.js';

/** Maximum number of open streams per principal: each uses a connection and buffers. */
const MAX_STREAMS_PER_PRINCIPAL = 200;
const RETRY_AFTER_SECONDS = 10;

/** The open event streams, so that a stopping server can end them. */
export class StreamRegistry {
  private readonly streams = new Map<{ end(): void }, Principal>();
  private readonly counts = new Map<string, number>();
  private closed = false;

  constructor(private readonly onCount: (count: number) => void) {}

  /**
   * Checks the limit of open streams. Call it before a stream is prepared.
   *
   * @throws {ApiError} `rate_limited`
   */
  assertStreamLimit(principal: Principal): void {
    if ((this.counts.get(getOwnerKey(principal)) ?? 0) < MAX_STREAMS_PER_PRINCIPAL) return;
    throw createRefusal('rate_limited', `You already have ${MAX_STREAMS_PER_PRINCIPAL} open event streams.`, {
      retryAfter: RETRY_AFTER_SECONDS,
    });
  }

  /**
   * Adds a stream.
   *
   * @returns a function that removes the stream
   */
  add(stream: { end(): void }, principal: Principal): () => void {
    const owner = getOwnerKey(principal);
    this.streams.set(stream, principal);
    this.count(owner, 1);
    if (this.closed) stream.end();
    return () => {
      if (this.streams.delete(stream)) this.count(owner, -1);
    };
  }

  /** Ends the streams of sessions that have ended. */
  endWhere(hasEnded: (principal: Principal) => boolean): void {
    for (const [stream, principal] of [...this.streams]) if (hasEnded(principal)) stream.end();
  }

  endAll(): void {
    this.closed = true;
    for (const stream of [...this.streams.keys()]) stream.end();
  }

  private count(owner: string, change: 1 | -1): void {
    const count = (this.counts.get(owner) ?? 0) + change;
    if (count > 0) this.counts.set(owner, count);
    else this.counts.delete(owner);
    this.onCount(this.streams.size);
  }
}

function getOwnerKey({ actor }: Principal): string {
  return `${actor.type} ${actor.id}`;
}
