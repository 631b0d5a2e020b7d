import {
  type OutboundCredential,
  type OutboundHttpPort,
  type OutboundStream,
  readErrorText,
  retryAfterMs,
} from '@countersign/core/plugin';
import { type FetchLike, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { answerEvents, asEvent } from './answer-events.js';
import type { McpServerConfiguration } from './configuration.js';
import { EventTooLarge } from './event-splitter.js';
import { GrowingBuffer } from './growing-buffer.js';
import { HttpRefusal } from './http-refusal.js';
import { JsonEnd } from './json-end.js';
import { lostAnswer } from './lost-answer.js';
import type { PendingRequests } from './pending-requests.js';
import { type RequestId } from './pending-requests.js';
import { answerIn, asMessage, isAnswerTo, messagesOf, parsed } from './read-message.js';
import { pause } from './waiting.js';

/** Maximum size of one message, in bytes. */
const MAX_MESSAGE = 4_194_304;
/** Maximum size of all messages in response to one request (progress and the response), in bytes. */
const MAX_STREAM = 67_108_864;
/** Maximum size of a server's description of itself, in bytes. */
const MAX_INITIALIZE = 262_144;
const INITIALIZE: ReadonlySet<string> = new Set(['initialize', 'server/discover']);
/** Status of a server that offers no stream (MCP 2025-06-18, "Listening for Messages from the Server"). */
const NO_STREAM = 405;
const EVENT_STREAM = 'text/event-stream';

/**
 * A message to a server: a request has both an id and a method, a notification only a method, a response to the server
 * neither.
 */
interface Sent {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: { readonly requestId?: RequestId };
}

/**
 * Creates a `fetch` for the SDK's transport that uses the outbound HTTP port of plugins: only to the configured host,
 * with the token, at permitted addresses. A response counts as soon as it has arrived, whatever happens to its stream
 * afterwards. There is no stream for unsolicited messages: changes of the server's tools are detected by listing them.
 *
 * @param now returns milliseconds since the epoch
 * @param pending the requests of the connection
 * @throws {HttpRefusal} if the response to a message has an error status and no JSON-RPC error
 */
export function guardedFetch(
  http: OutboundHttpPort,
  { Url: serverUrl = '', Token, TokenHeader, Timeout, ConnectTimeout }: McpServerConfiguration,
  now: () => number,
  pending: PendingRequests,
): FetchLike {
  const allowedHosts = [new URL(serverUrl).host];
  const credential: OutboundCredential | undefined = Token.isSet
    ? TokenHeader === ''
      ? { type: 'bearer', secret: Token }
      : { type: 'header', name: TokenHeader, secret: Token }
    : undefined;

  const send = (
    url: string | URL,
    { method = 'GET', body, signal }: NonNullable<Parameters<FetchLike>[1]>,
    headers: Readonly<Record<string, string>>,
    timeoutMs: number,
  ): Promise<OutboundStream> =>
    http.stream({
      method,
      url,
      headers,
      ...(typeof body === 'string' ? { body } : {}),
      ...(credential === undefined ? {} : { credential }),
      allowedHosts,
      allowedHostsKey: 'Agents:Mcp:Servers',
      timeoutMs,
      maxBytes: MAX_STREAM,
      maxRedirects: 0,
      ...(signal === undefined || signal === null ? {} : { signal }),
    });

  const resume: FetchLike = async (url, init = {}) => {
    const headers = headersOf(init);
    const id = pending.ofEvent(headers['last-event-id'] ?? '');
    if (id === undefined) return new Response(null, { status: NO_STREAM });
    await pause(pending.resume(id, now()), init.signal ?? new AbortController().signal);
    const answer = await send(url, init, headers, Timeout);
    if (isEventStream(answer)) return streamed(answer, id, MAX_MESSAGE, pending);
    answer.close();
    if (answer.status >= 500 || answer.status === 429) return new Response(null, { status: answer.status });
    pending.end(id);
    const lost = lostAnswer(id, `the stream cannot be resumed: the server responded with status ${answer.status}.`);
    return new Response(new Uint8Array(asEvent(lost)), { headers: { 'content-type': EVENT_STREAM } });
  };

  const post: FetchLike = async (url, init = {}) => {
    const headers = headersOf(init);
    const { id, method: asked, params } = sentBy(init.body);
    if (asked === 'notifications/cancelled' && params?.requestId !== undefined) pending.cancel(params.requestId);
    const isConnecting = asked !== undefined && asked !== 'tools/call';
    const most = asked !== undefined && INITIALIZE.has(asked) ? MAX_INITIALIZE : MAX_MESSAGE;
    const request = asked === undefined ? undefined : id;
    const signal = request === undefined ? init.signal : pending.begin(request, init.signal);
    try {
      const answer = await send(url, { ...init, signal }, headers, isConnecting ? ConnectTimeout : Timeout);
      if (request !== undefined && isEventStream(answer)) return streamed(answer, request, most, pending);
      const response = await whole(answer, request, most, headers['mcp-session-id'] !== undefined, now());
      if (request !== undefined) pending.end(request);
      return response;
    } catch (error) {
      if (request !== undefined) pending.end(request);
      throw error;
    }
  };

  return async (url, init = {}) => {
    if (init.method === 'POST') return post(url, init);
    if (init.method === undefined || init.method === 'GET') return resume(url, init);
    const answer = await send(url, init, headersOf(init), ConnectTimeout);
    answer.close();
    return new Response(null, { status: answer.status });
  };
}

function headersOf({ headers }: NonNullable<Parameters<FetchLike>[1]>): Readonly<Record<string, string>> {
  return Object.fromEntries(new Headers(headers).entries());
}

function isEventStream({ status, headers }: OutboundStream): boolean {
  return status >= 200 && status < 300 && /^text\/event-stream\b/i.test(headers['content-type'] ?? '');
}

function streamed(answer: OutboundStream, id: RequestId, most: number, pending: PendingRequests): Response {
  pending.streamBy(id, answer);
  const events = answerEvents(answer, id, most, pending);
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { value, done } = await events.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    // Closes the stream even if nothing of it was read.
    cancel: () => answer.close(),
  });
  return new Response(body, { headers: answer.headers });
}

/**
 * Reads a whole response.
 *
 * @throws {HttpRefusal}
 * @throws {Error} if a request gets no response
 */
async function whole(
  answer: OutboundStream,
  id: RequestId | undefined,
  most: number,
  hadSession: boolean,
  now: number,
): Promise<Response> {
  const { status, headers } = answer;
  if (status < 300 && id === undefined) {
    // Only requests have a response body, but some servers send an endless one anyway.
    answer.close();
    return new Response(null, { status, headers });
  }
  const text = await readText(answer, most);
  if (status < 300 && id !== undefined) {
    const response = answerIn(messagesOf(parsed(text)), id);
    if (response === undefined) throw new Error('The server sent no response that conforms to MCP.');
    // Regardless of its content type, and of other messages next to it.
    return Response.json(response, { headers: { ...headers, 'content-type': 'application/json' } });
  }
  const failure = refusal(answer, text, hadSession, now);
  // Some servers send a JSON-RPC error with an error status; it is still the response to the request.
  const error = id === undefined ? undefined : errorOf(text, id);
  if (error !== undefined && isMeant(failure, error)) return Response.json(error);
  throw failure;
}

/** Reads a body up to its end, or to the end of the JSON in it: some bodies break off after it, or stay open. */
async function readText({ body }: OutboundStream, most: number): Promise<string> {
  const text = new GrowingBuffer();
  const end = new JsonEnd();
  for await (const part of body) {
    text.append(part);
    if (text.length > most) throw new EventTooLarge(most);
    const last = end.push(part);
    if (last === undefined) continue;
    const json = text.peek().toString('utf8', 0, text.length - part.length + last);
    if (parsed(json) !== undefined) return json;
  }
  return text.take().toString('utf8');
}

function refusal({ status, headers }: OutboundStream, text: string, hadSession: boolean, now: number): HttpRefusal {
  const { location } = headers;
  const said = location === undefined ? readErrorText(text).detail : `It redirects to ${location}`;
  return new HttpRefusal(status, said ?? '', { hadSession, retryAfterMs: retryAfterMs(new Headers(headers), now) });
}

function sentBy(body: unknown): Sent {
  return typeof body === 'string' ? (JSON.parse(body) as Sent) : {};
}

interface JsonRpcError {
  readonly id: RequestId;
  readonly error: { readonly code: number };
}

function errorOf(text: string, id: RequestId): JsonRpcError | undefined {
  const given = parsed(text);
  const answer = isAnswerTo(given, id) ? asMessage(given) : undefined;
  return answer !== undefined && 'error' in answer ? { ...answer, id } : undefined;
}

/**
 * Returns whether a JSON-RPC error is the response to the request, rather than a refusal of the session or of all
 * requests.
 */
function isMeant({ status, namesSession }: HttpRefusal, { error: { code } }: JsonRpcError): boolean {
  if (status === 401 || status === 403 || status === 429) return false;
  return !namesSession || code === ProtocolErrorCode.MethodNotFound || code === ProtocolErrorCode.InvalidParams;
}
