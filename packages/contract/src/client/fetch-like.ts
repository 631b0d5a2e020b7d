/** What a body of a request may be; a stream is sent as it comes. */
export type UploadBody = string | Uint8Array<ArrayBuffer> | ArrayBuffer | Blob | ReadableStream<Uint8Array>;

export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: UploadBody;
  signal?: AbortSignal;
  /** Needed by Node's fetch for a body that is a stream. */
  duplex?: 'half';
}

/** As much of a `Response` as is used here, so that any fetch can be injected. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** A web stream, or (node-fetch) an async iterable of chunks. */
  readonly body: unknown;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

export type FetchLike = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** The fetch of the platform, looked up when it is called, so that a test or an agent may replace it. */
export const platformFetch: FetchLike = async (url, init) => {
  if (typeof globalThis.fetch !== 'function') {
    throw new TypeError('This platform has no fetch: give one to createClient.');
  }
  return globalThis.fetch(url, init);
};

/** The chunks of a body, whatever kind of stream it is. */
export async function* chunksOf(body: unknown): AsyncGenerator<Uint8Array, void, undefined> {
  if (isWebStream(body)) {
    // Not `for await`: web streams are async iterable only in the newest browsers.
    const reader = body.getReader();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        yield next.value;
      }
    } finally {
      // Who stops early wants the connection closed.
      await reader.cancel().catch(() => undefined);
    }
  } else if (body) {
    yield* body as AsyncIterable<Uint8Array>;
  }
}

function isWebStream(body: unknown): body is ReadableStream<Uint8Array> {
  return typeof (body as { getReader?: unknown } | null)?.getReader === 'function';
}
