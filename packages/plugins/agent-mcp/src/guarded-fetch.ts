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

/** Bytes of one message. */
const MAX_MESSAGE = 4_194_304;
/** Bytes of all messages by which one request is answered: what is told of its progress, and the answer. */
const MAX_STREAM = 67_108_864;
/** Of what a server says of itself. */
const MAX_INITIALIZE = 262_144;
const INITIALIZE: ReadonlySet<string> = new Set(['initialize', 'server/discover']);
/** What a server answers that offers no stream (MCP 2025-06-18, "Listening for Messages from the Server"). */
const NO_STREAM = 405;
const EVENT_STREAM = 'text/event-stream';

/** What is sent to a server: a request has both, an announcement only the method, an answer to the server neither. */
interface Sent {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: { readonly requestId?: RequestId };
}

/**
 * `fetch` for the SDK's transport, over the one way out that plugins have: to the host that is configured alone, with the
 * token, at addresses that may be reached. An answer counts as soon as it is there, whatever becomes of its stream. There is
 * no stream that the server may send by at any time: a change of its tools is seen by listing them.
 *
 * @param now milliseconds since the epoch
 * @param pending the requests of the connection
 * @throws {HttpRefusal} where a message is answered with the status of an error, and no error of JSON-RPC
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
    const lost = lostAnswer(id, `the stream can't be resumed: it answered with status ${answer.status}.`);
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
    // Also where nothing of it was read.
    cancel: () => answer.close(),
  });
  return new Response(body, { headers: answer.headers });
}

/** @throws {HttpRefusal}, {Error} where a request gets no answer */
async function whole(
  answer: OutboundStream,
  id: RequestId | undefined,
  most: number,
  hadSession: boolean,
  now: number,
): Promise<Response> {
  const { status, headers } = answer;
  if (status < 300 && id === undefined) {
    // Nothing is to be said to what is no request, and some servers say it without end.
    answer.close();
    return new Response(null, { status, headers });
  }
  const text = await readText(answer, most);
  if (status < 300 && id !== undefined) {
    const response = answerIn(messagesOf(parsed(text)), id);
    if (response === undefined) throw new Error('It gave no answer that is what MCP says.');
    // Whatever it is called, and whatever is beside it.
    return Response.json(response, { headers: { ...headers, 'content-type': 'application/json' } });
  }
  const failure = refusal(answer, text, hadSession, now);
  // Some servers give the error of a request with the status of one, which answers it all the same.
  const error = id === undefined ? undefined : errorOf(text, id);
  if (error !== undefined && isMeant(failure, error)) return Response.json(error);
  throw failure;
}

/** A body up to its end, or up to that of the JSON in it: some bodies break off behind that, or stay open. */
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

/** Whether an error of JSON-RPC answers the request, and neither its session nor all that this server asks is refused. */
function isMeant({ status, namesSession }: HttpRefusal, { error: { code } }: JsonRpcError): boolean {
  if (status === 401 || status === 403 || status === 429) return false;
  return !namesSession || code === ProtocolErrorCode.MethodNotFound || code === ProtocolErrorCode.InvalidParams;
}
