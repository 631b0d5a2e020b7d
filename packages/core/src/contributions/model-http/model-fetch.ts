import { ModelError } from '../model-provider.js';
import { exactEvents, exactNumbers } from './exact-events.js';
import { errorWithin, ModelErrorBody, readErrorText } from './error-body.js';

/** Of the body of an error, in bytes. */
const MAX_ERROR_BYTES = 65_536;
const TEXT = /^text\/(?:html|plain)\b/i;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;
/** How a stream of events begins: with a field or a comment. */
const EVENTS = /^(?:data|event|id|retry)?:/;
const LONGEST_FIELD = 'event:'.length;

type IsEvent = (body: unknown) => boolean;

export interface ModelFetchOptions {
  /** How long nothing may come, in ms: neither the head of the answer nor the next bytes of it. */
  readonly idleMs: number;
  /** Largest answer, decompressed. */
  readonly maxBytes: number;
  /** Names, in small letters, of the headers that may be sent; what a library adds from elsewhere (the environment, the platform) is left out. */
  readonly headers: readonly string[];
  /** Whether JSON with which a server answers in place of a stream is the only event of it. By default none is. */
  readonly isEvent?: IsEvent;
}

/**
 * `fetch` for the client libraries of models: it follows no redirect (which would take key and prompts elsewhere), gives
 * up an answer that is silent for too long, and one without end, and makes text of numbers in it that would become others.
 * Otherwise as Node's own, whose ways through proxies it
 * shares.
 *
 * @throws {ModelError} `model_timeout`, `model_answer_malformed`, also while the body is read
 * @throws {ModelErrorBody} the answer is an error, by its status or by what it says
 */
export function modelFetch(options: ModelFetchOptions): typeof fetch {
  const { idleMs, maxBytes, headers: allowed, isEvent = () => false } = options;
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
      const { ok, status, statusText, body, headers: answered } = response;
      if (!ok) {
        const said = body === null ? '' : await textOf(watched(body, MAX_ERROR_BYTES, timer), { isCutShort: true });
        throw new ModelErrorBody(status, answered, readErrorText(said));
      }
      if (body === null) {
        clearTimeout(timer);
        return response;
      }
      const all = watched(body, maxBytes, timer);
      const type = answered.get('content-type') ?? '';
      const content = JSON_TYPE.test(type)
        ? await checkedJson(all, answered, isEvent)
        : // Whatever the type says, an error may come in place of a stream. Streams are posted for, lists are not.
          streamOf(/^get$/i.test(init.method ?? 'get') && !TEXT.test(type) ? all : unlessText(all, answered, isEvent));
      return new Response(content, { status, statusText, headers: answered });
    } catch (error) {
      clearTimeout(timer);
      throw error;
    }
  };
}

function streamOf(body: AsyncIterable<Uint8Array>): Response['body'] {
  return ReadableStream.from(exactEvents(body)) as Response['body'];
}

/** What is not streamed can be an error all the same, or all of a stream. */
async function checkedJson(body: AsyncIterable<Uint8Array>, headers: Headers, isEvent: IsEvent): Promise<string> {
  const text = await textOf(body);
  const said = errorIn(text);
  if (said !== undefined) throw new ModelErrorBody(undefined, headers, said);
  return onlyEvent(text, isEvent) ?? exactNumbers(text);
}

/**
 * Passes on what begins as a stream of events does, whatever it is said to be.
 *
 * @throws {ModelErrorBody} it is a page or a text: that of a proxy, or an error with the wrong status
 */
async function* unlessText(
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
    kind ??= kindOf(chunks);
    if (kind === 'stream') yield Buffer.concat(chunks.splice(0));
    else if (kind === 'text' && bytes > MAX_ERROR_BYTES) break;
  }
  if (chunks.length === 0) return;
  const text = new TextDecoder().decode(Buffer.concat(chunks));
  const event = errorIn(text) === undefined ? onlyEvent(text, isEvent) : undefined;
  if (event === undefined) throw new ModelErrorBody(undefined, headers, readErrorText(text));
  yield Buffer.from(event);
}

/**
 * What the first chunks of a body are; `undefined`: too little has come to tell. White space in front of it, which keeps the
 * connection, is taken out of them.
 */
function kindOf(chunks: Uint8Array[]): 'stream' | 'JSON' | 'text' | undefined {
  const begin = new TextDecoder().decode(Buffer.concat(chunks)).trimStart();
  if (begin === '') chunks.length = 0;
  if (EVENTS.test(begin)) return 'stream';
  if (/^[[{]/.test(begin)) return 'JSON';
  return begin.length >= LONGEST_FIELD ? 'text' : undefined;
}

/** JSON as a stream of one event. */
function onlyEvent(text: string, isEvent: IsEvent): string | undefined {
  try {
    const body = JSON.parse(exactNumbers(text)) as unknown;
    // On one line.
    return isEvent(body) ? `data: ${JSON.stringify(body)}\n\n` : undefined;
  } catch {
    return undefined;
  }
}

function errorIn(text: string): ReturnType<typeof errorWithin> {
  try {
    return errorWithin(JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** @param options `isCutShort`: as much as can be had of it is enough */
async function textOf(body: AsyncIterable<Uint8Array>, { isCutShort = false } = {}): Promise<string> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk);
  } catch (error) {
    if (!isCutShort) throw error;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
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
