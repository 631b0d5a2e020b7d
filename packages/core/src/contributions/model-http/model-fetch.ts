import { ModelError } from '../model-provider.js';

export interface ModelFetchOptions {
  /** How long nothing may come, in ms: neither the head of the answer nor the next bytes of it. */
  readonly idleMs: number;
  /** Largest answer, decompressed. */
  readonly maxBytes: number;
  /** Names, in small letters, of the headers that may be sent; what a library adds from elsewhere (the environment, the platform) is left out. */
  readonly headers: readonly string[];
}

/**
 * `fetch` for the client libraries of models: it follows no redirect (which would take key and prompts elsewhere), gives
 * up an answer that is silent for too long, and one without end. Otherwise as Node's own, whose ways through proxies it
 * shares.
 *
 * @throws {ModelError} `model_timeout`, `model_answer_malformed`, also while the body is read
 */
export function modelFetch({ idleMs, maxBytes, headers: allowed }: ModelFetchOptions): typeof fetch {
  return async (input, init = {}) => {
    const watch = new AbortController();
    const timer = setTimeout(
      () =>
        watch.abort(
          new ModelError('model_timeout', `Nothing came from the model for ${idleMs / 1_000} seconds.`, true),
        ),
      idleMs,
    );
    const headers = [...new Headers(init.headers)].filter(([name]) => allowed.includes(name));
    const signal = AbortSignal.any([watch.signal, ...(init.signal ? [init.signal] : [])]);
    try {
      const response = await fetch(input, { ...init, headers, signal, redirect: 'manual' });
      const { status, statusText, body } = response;
      if (body === null) {
        clearTimeout(timer);
        return response;
      }
      return new Response(ReadableStream.from(watched(body, maxBytes, timer)) as Response['body'], {
        status,
        statusText,
        headers: response.headers,
      });
    } catch (error) {
      clearTimeout(timer);
      throw error;
    }
  };
}

async function* watched(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  timer: NodeJS.Timeout,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      timer.refresh();
      bytes += chunk.byteLength;
      if (bytes > maxBytes)
        throw new ModelError('model_answer_malformed', `The model's answer has more than ${maxBytes} bytes.`, false);
      yield chunk;
    }
  } finally {
    clearTimeout(timer);
  }
}
