import { once } from 'node:events';
import type { Context } from 'koa';

export const HEARTBEAT_MS = 15_000;
const RECONNECT_MS = 1_000;
/** What is written at once, in characters; more costs memory, less costs calls. */
const SLICE_LENGTH = 64 * 1024;

export interface StreamedEvent {
  readonly id?: string;
  readonly event?: string;
  /** A JSON text. */
  readonly data?: string;
}

/**
 * A stream of server-sent events (WHATWG HTML, 9.2).
 *
 * It writes to the response itself, past Koa: a body stream whose client leaves raises `ERR_STREAM_PREMATURE_CLOSE` on
 * the host application's error handler, and that a client leaves is no error.
 */
export class EventStream {
  private readonly controller = new AbortController();
  private readonly heartbeat: NodeJS.Timeout;
  private expiry: NodeJS.Timeout | undefined;

  /** @param endsInMs until the end of the caller's token: nobody listens longer than they may */
  constructor(
    private readonly ctx: Context,
    endsInMs: number | null,
    heartbeatMs = HEARTBEAT_MS,
  ) {
    const { res } = ctx;
    ctx.respond = false;
    ctx.onerror = ignore;
    ctx.status = 200;
    // `no-transform` and the nginx header keep proxies from holding events back.
    ctx.set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    res.on('close', () => this.stop());
    res.on('error', ignore);
    res.write(`retry: ${RECONNECT_MS}\n\n`);
    this.heartbeat = setInterval(() => {
      if (!res.writableNeedDrain) res.write(': still here\n\n');
    }, heartbeatMs);
    this.heartbeat.unref();
    if (endsInMs !== null) {
      this.expiry = setTimeout(() => this.end(), Math.min(Math.max(0, endsInMs), 2 ** 31 - 1));
      this.expiry.unref();
    }
    if (res.closed || res.destroyed) this.stop();
  }

  /** Aborted when the client has left or the stream was ended. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Sends events, and waits for a client that reads slowly: what is buffered for it is a slice and one event at most. */
  async send(events: readonly StreamedEvent[]): Promise<void> {
    let slice = '';
    for (const event of events) {
      slice += frame(event);
      if (slice.length < SLICE_LENGTH) continue;
      await this.write(slice);
      slice = '';
    }
    if (slice !== '') await this.write(slice);
  }

  /** Ends the stream; what was sent still arrives. */
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
      // The client left, or the stream was ended meanwhile; whoever sends sees it by the signal.
    }
  }

  private stop(): void {
    clearInterval(this.heartbeat);
    clearTimeout(this.expiry);
    this.controller.abort();
  }
}

function frame({ id, event, data }: StreamedEvent): string {
  let text = '';
  if (id !== undefined) text += `id: ${id}\n`;
  if (event !== undefined) text += `event: ${event}\n`;
  // JSON texts of ours hold no line break, so one line of data is enough.
  if (data !== undefined) text += `data: ${data}\n`;
  return `${text}\n`;
}

function ignore(): void {
  // A client that leaves is no error.
}
