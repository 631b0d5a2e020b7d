/** The possible request bodies; a stream is sent as its chunks are produced. */
export type UploadBody = string | Uint8Array<ArrayBuffer> | ArrayBuffer | Blob | ReadableStream<Uint8Array>;

export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: UploadBody;
  signal?: AbortSignal;
  /** Required by Node's fetch for a stream body. */
  duplex?: 'half';
}

/** The part of `Response` that the client uses, so that any fetch can be injected. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** A web stream, or (node-fetch) an async iterable of chunks. */
  readonly body: unknown;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

export type FetchLike = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** The platform's fetch, looked up at each call, so that a test or an instrumentation library can replace it. */
export const platformFetch: FetchLike = async (url, init) => {
  if (typeof globalThis.fetch !== 'function') {
    throw new TypeError('This platform has no fetch: pass one to createClient.');
  }
  return globalThis.fetch(url, init);
};

/** Yields the chunks of a body of any stream type. */
export async function* readChunks(body: unknown): AsyncGenerator<Uint8Array, void, undefined> {
  if (isWebStream(body)) {
    // Not `for await`: web streams are async iterable only in recent browsers.
    const reader = body.getReader();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        yield next.value;
      }
    } finally {
      // A consumer that stops early expects the connection to be closed.
      await reader.cancel().catch(() => undefined);
    }
  } else if (body) {
    yield* body as AsyncIterable<Uint8Array>;
  }
}

function isWebStream(body: unknown): body is ReadableStream<Uint8Array> {
  return typeof (body as { getReader?: unknown } | null)?.getReader === 'function';
}
