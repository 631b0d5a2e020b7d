import { ModelError } from '../model-provider.js';
import { preserveExactNumbers, quoteInexactNumbers } from './preserve-exact-numbers.js';
import { findError, ModelResponseError, parseErrorText } from './error-body.js';

/** Maximum size of an error body, in bytes. */
const MAX_ERROR_BYTES = 65_536;
const TEXT_TYPE = /^text\/(?:html|plain)\b/i;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;
/** Matches the start of an event stream: a field or a comment. */
const EVENT_FIELD = /^(?:data|event|id|retry)?:/;
const MAX_FIELD_CHARACTERS = 'event:'.length;

type IsEvent = (body: unknown) => boolean;

export interface ModelFetchOptions {
  /** Maximum time without data, in ms: until the response headers and between chunks of the body. */
  readonly idleMs: number;
  /** Maximum size of the decompressed response, in bytes. */
  readonly maxBytes: number;
  /**
   * Lower-case names of the headers that may be sent. Headers that a library adds on its own, for example from the
   * environment, are removed.
   */
  readonly headers: readonly string[];
  /**
   * Returns whether a JSON body, sent instead of a stream, can be read as the only event of a stream. Default: always
   * false.
   */
  readonly isEvent?: IsEvent;
}

/**
 * Returns a `fetch` for the client libraries of language models. It follows no redirects (which would send the key and
 * prompts elsewhere), aborts responses that stall or are too large, and converts numbers that would lose
 * precision to strings. Otherwise it works like Node's `fetch`, with the same proxy settings.
 *
 * @throws {ModelError} `model_timeout` or `model_answer_malformed`, also while the body is read
 * @throws {ModelResponseError} if the response is an error, by its status or its body
 */
export function createModelFetch(options: ModelFetchOptions): typeof fetch {
  const { idleMs, maxBytes, headers: allowedHeaders, isEvent = () => false } = options;
  return async (input, init = {}) => {
    const idleAbort = new AbortController();
    const timer = setTimeout(
      () =>
        idleAbort.abort(
          new ModelError('model_timeout', `The language model sent nothing for ${idleMs / 1_000} seconds.`, true),
        ),
      idleMs,
    );
    const headers = [...new Headers(init.headers)].filter(([name]) => allowedHeaders.includes(name));
    const signal = AbortSignal.any([idleAbort.signal, ...(init.signal ? [init.signal] : [])]);
    try {
      const response = await fetch(input, { ...init, headers, signal, redirect: 'manual' });
      const { ok, status, statusText, body, headers: responseHeaders } = response;
      if (!ok) {
        const errorText =
          body === null ? '' : await readText(watchBody(body, MAX_ERROR_BYTES, timer), { allowTruncated: true });
        throw new ModelResponseError(status, responseHeaders, parseErrorText(errorText));
      }
      if (body === null) {
        clearTimeout(timer);
        return response;
      }
      const watchedBody = watchBody(body, maxBytes, timer);
      const type = responseHeaders.get('content-type') ?? '';
      const content = JSON_TYPE.test(type)
        ? await readJsonBody(watchedBody, responseHeaders, isEvent)
        : // An error may replace a stream, whatever the content type. Streams are requested with POST, lists with GET.
          toEventStream(
            /^get$/i.test(init.method ?? 'get') && !TEXT_TYPE.test(type)
              ? watchedBody
              : rejectPlainText(watchedBody, responseHeaders, isEvent),
          );
      return new Response(content, { status, statusText, headers: responseHeaders });
    } catch (error) {
      clearTimeout(timer);
      throw error;
    }
  };
}

function toEventStream(body: AsyncIterable<Uint8Array>): Response['body'] {
  return ReadableStream.from(preserveExactNumbers(body)) as Response['body'];
}

/**
 * Returns a JSON body, converted to an event stream if the body is the only event of one.
 *
 * @throws {ModelResponseError} if the body is an error
 */
async function readJsonBody(body: AsyncIterable<Uint8Array>, headers: Headers, isEvent: IsEvent): Promise<string> {
  const text = await readText(body);
  const reportedError = findErrorInText(text);
  if (reportedError !== undefined) throw new ModelResponseError(undefined, headers, reportedError);
  return toSingleEvent(text, isEvent) ?? quoteInexactNumbers(text);
}

/**
 * Passes a body through if it starts like an event stream, regardless of its content type. Converts a JSON body that is
 * an event.
 *
 * @throws {ModelResponseError} if the body is anything else: a proxy's page, text, or JSON that is an error or no event
 */
async function* rejectPlainText(
  body: AsyncIterable<Uint8Array>,
  headers: Headers,
  isEvent: IsEvent,
): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let kind: 'stream' | 'JSON' | 'text' | undefined;
  for await (const chunk of body) {
    if (kind === 'stream') {
      yield chunk;
      continue;
    }
    chunks.push(chunk);
    bytes += chunk.byteLength;
    kind ??= detectBodyKind(chunks);
    if (kind === 'stream') yield Buffer.concat(chunks.splice(0));
    else if (kind === 'text' && bytes > MAX_ERROR_BYTES) break;
  }
  if (chunks.length === 0) return;
  const text = new TextDecoder().decode(Buffer.concat(chunks));
  const event = findErrorInText(text) === undefined ? toSingleEvent(text, isEvent) : undefined;
  if (event === undefined) throw new ModelResponseError(undefined, headers, parseErrorText(text));
  yield Buffer.from(event);
}

/**
 * Returns the kind of a body from its first chunks; `undefined` if more data is needed. Removes leading white space,
 * which servers send to keep the connection open, from `chunks`.
 */
function detectBodyKind(chunks: Uint8Array[]): 'stream' | 'JSON' | 'text' | undefined {
  const start = new TextDecoder().decode(Buffer.concat(chunks)).trimStart();
  if (start === '') chunks.length = 0;
  if (EVENT_FIELD.test(start)) return 'stream';
  if (/^[[{]/.test(start)) return 'JSON';
  return start.length >= MAX_FIELD_CHARACTERS ? 'text' : undefined;
}

/** Returns JSON as an event stream with one event. */
function toSingleEvent(text: string, isEvent: IsEvent): string | undefined {
  try {
    const body = JSON.parse(quoteInexactNumbers(text)) as unknown;
    // An event must be on one line.
    return isEvent(body) ? `data: ${JSON.stringify(body)}\n\n` : undefined;
  } catch {
    return undefined;
  }
}

function findErrorInText(text: string): ReturnType<typeof findError> {
  try {
    return findError(JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/**
 * Reads a body as text.
 *
 * @param options `allowTruncated`: return the part that could be read if reading fails
 */
async function readText(body: AsyncIterable<Uint8Array>, { allowTruncated = false } = {}): Promise<string> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk);
  } catch (error) {
    if (!allowTruncated) throw error;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

async function* watchBody(
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
        throw new ModelError(
          'model_answer_malformed',
          `The response of the language model has more than ${maxBytes} bytes.`,
          false,
        );
      yield chunk;
    }
  } finally {
    clearTimeout(timer);
  }
}
