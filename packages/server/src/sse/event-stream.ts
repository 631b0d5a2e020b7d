import { once } from 'node:events';
import type { Context } from 'koa';

export const HEARTBEAT_MS = 15_000;
const RECONNECT_MS = 1_000;
/** Length of one write, in characters; larger writes cost memory, smaller ones cost calls. */
const SLICE_LENGTH = 64 * 1024;

export interface StreamedEvent {
  readonly id?: string;
  readonly event?: string;
  /** JSON text. */
  readonly data?: string;
}

/**
 * A stream of server-sent events (WHATWG HTML, 9.2).
 *
 * It writes to the response directly, without Koa: with a body stream, a disconnecting client raises
 * `ERR_STREAM_PREMATURE_CLOSE` in the host application's error handler, although a disconnect is not an error.
 */
export class EventStream {
  private readonly controller = new AbortController();
  private readonly heartbeatTimer: NodeJS.Timeout;
  private expiryTimer: NodeJS.Timeout | undefined;

  /** @param endsInMs time until the caller's token expires and the stream ends; `null` if the token does not expire */
  constructor(
    private readonly ctx: Context,
    endsInMs: number | null,
    heartbeatMs = HEARTBEAT_MS,
  ) {
    const { res } = ctx;
    ctx.respond = false;
    ctx.onerror = ignore;
    ctx.status = 200;
    // `no-transform` and the nginx header keep proxies from buffering events.
    ctx.set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    res.on('close', () => this.stop());
    res.on('error', ignore);
    res.write(`retry: ${RECONNECT_MS}\n\n`);
    this.heartbeatTimer = setInterval(() => {
      if (!res.writableNeedDrain) res.write(': still here\n\n');
    }, heartbeatMs);
    this.heartbeatTimer.unref();
    if (endsInMs !== null) {
      this.expiryTimer = setTimeout(() => this.end(), Math.min(Math.max(0, endsInMs), 2 ** 31 - 1));
      this.expiryTimer.unref();
    }
    if (res.closed || res.destroyed) this.stop();
  }

  /** Aborted when the client disconnects or the stream ends. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Sends events, and waits for a slow client: at most one slice and one event are buffered for it. */
  async send(events: readonly StreamedEvent[]): Promise<void> {
    let slice = '';
    for (const event of events) {
      slice += formatEvent(event);
      if (slice.length < SLICE_LENGTH) continue;
      await this.write(slice);
      slice = '';
    }
    if (slice !== '') await this.write(slice);
  }

  /** Ends the stream; data that was already sent still arrives. */
  end(): void {
    this.stop();
    if (!this.ctx.res.writableEnded) this.ctx.res.end();
  }

  private async write(text: string): Promise<void> {
    if (this.signal.aborted) return;
    const { res } = this.ctx;
    if (res.write(text)) return;
    try {
      await once(res, 'drain', { signal: this.signal });
    } catch {
      // The client disconnected or the stream ended; the sender checks the signal.
    }
  }

  private stop(): void {
    clearInterval(this.heartbeatTimer);
    clearTimeout(this.expiryTimer);
    this.controller.abort();
  }
}

function formatEvent({ id, event, data }: StreamedEvent): string {
  let text = '';
  if (id !== undefined) text += `id: ${id}\n`;
  if (event !== undefined) text += `event: ${event}\n`;
  // Serialized JSON contains no line breaks, so one data line is enough.
  if (data !== undefined) text += `data: ${data}\n`;
  return `${text}\n`;
}

function ignore(): void {
  // A client's disconnect is not an error.
}
