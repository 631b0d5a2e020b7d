import {
  type OutboundCredential,
  type OutboundHttpPort,
  type OutboundStream,
  parseErrorText,
  parseRetryAfterMs,
} from '@countersign/core/plugin';
import { type FetchLike, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { readResponseEvents, toEvent } from './read-response-events.js';
import type { McpServerConfiguration } from './configuration.js';
import { EventTooLargeError } from './event-splitter.js';
import { GrowingBuffer } from './growing-buffer.js';
import { HttpRefusal } from './http-refusal.js';
import { JsonEndFinder } from './json-end-finder.js';
import { createLostResponse } from './lost-response.js';
import type { PendingRequests } from './pending-requests.js';
import { type RequestId } from './pending-requests.js';
import { findResponseInBody, toMessage, isResponseTo, toMessages, tryParseJson } from './read-message.js';
import { pause } from './pause.js';

/** Maximum size of one message, in bytes. */
const MAX_MESSAGE_BYTES = 4_194_304;
/** Maximum size of one response stream (progress messages and the response), in bytes. */
const MAX_STREAM_BYTES = 67_108_864;
/** Maximum size of a server's description of itself, in bytes. */
const MAX_INITIALIZE_BYTES = 262_144;
const INITIALIZE_METHODS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);
/** Status of a server that offers no stream (MCP 2025-06-18, "Listening for Messages from the Server"). */
const NO_STREAM_STATUS = 405;
const EVENT_STREAM_TYPE = 'text/event-stream';

/**
 * A message to a server: a request has both an id and a method, a notification only a method, a response only an id.
 */
interface OutgoingMessage {
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
 * @throws {HttpRefusal} if the response to a message has an error status and no JSON-RPC error for the request
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
      maxBytes: MAX_STREAM_BYTES,
      maxRedirects: 0,
      ...(signal === undefined || signal === null ? {} : { signal }),
    });

  const resume: FetchLike = async (url, init = {}) => {
    const headers = readHeaders(init);
    const id = pending.findByEvent(headers['last-event-id'] ?? '');
    if (id === undefined) return new Response(null, { status: NO_STREAM_STATUS });
    await pause(pending.scheduleResume(id, now()), init.signal ?? new AbortController().signal);
    const stream = await send(url, init, headers, Timeout);
    if (isEventStream(stream)) return toStreamedResponse(stream, id, MAX_MESSAGE_BYTES, pending);
    stream.close();
    if (stream.status >= 500 || stream.status === 429) return new Response(null, { status: stream.status });
    pending.end(id);
    const lostResponse = createLostResponse(
      id,
      `the stream cannot be resumed: the server responded with status ${stream.status}.`,
    );
    return new Response(new Uint8Array(toEvent(lostResponse)), { headers: { 'content-type': EVENT_STREAM_TYPE } });
  };

  const post: FetchLike = async (url, init = {}) => {
    const headers = readHeaders(init);
    const { id, method, params } = parseOutgoingMessage(init.body);
    if (method === 'notifications/cancelled' && params?.requestId !== undefined) pending.cancel(params.requestId);
    const usesConnectTimeout = method !== undefined && method !== 'tools/call';
    const maxBytes = method !== undefined && INITIALIZE_METHODS.has(method) ? MAX_INITIALIZE_BYTES : MAX_MESSAGE_BYTES;
    const requestId = method === undefined ? undefined : id;
    const signal = requestId === undefined ? init.signal : pending.add(requestId, init.signal);
    try {
      const stream = await send(url, { ...init, signal }, headers, usesConnectTimeout ? ConnectTimeout : Timeout);
      if (requestId !== undefined && isEventStream(stream))
        return toStreamedResponse(stream, requestId, maxBytes, pending);
      const response = await readWholeResponse(
        stream,
        requestId,
        maxBytes,
        headers['mcp-session-id'] !== undefined,
        now(),
      );
      if (requestId !== undefined) pending.end(requestId);
      return response;
    } catch (error) {
      if (requestId !== undefined) pending.end(requestId);
      throw error;
    }
  };

  return async (url, init = {}) => {
    if (init.method === 'POST') return post(url, init);
    if (init.method === undefined || init.method === 'GET') return resume(url, init);
    const stream = await send(url, init, readHeaders(init), ConnectTimeout);
    stream.close();
    return new Response(null, { status: stream.status });
  };
}

function readHeaders({ headers }: NonNullable<Parameters<FetchLike>[1]>): Readonly<Record<string, string>> {
  return Object.fromEntries(new Headers(headers).entries());
}

function isEventStream({ status, headers }: OutboundStream): boolean {
  return status >= 200 && status < 300 && /^text\/event-stream\b/i.test(headers['content-type'] ?? '');
}

function toStreamedResponse(
  stream: OutboundStream,
  id: RequestId,
  maxBytes: number,
  pending: PendingRequests,
): Response {
  pending.setStream(id, stream);
  const events = readResponseEvents(stream, id, maxBytes, pending);
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { value, done } = await events.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    // Closes the stream even if none of it was read.
    cancel: () => stream.close(),
  });
  return new Response(body, { headers: stream.headers });
}

/**
 * Reads a whole response.
 *
 * @throws {HttpRefusal} if the response has an error status and no JSON-RPC error for the request
 * @throws {Error} if a request gets no response, or the response is too large
 */
async function readWholeResponse(
  stream: OutboundStream,
  id: RequestId | undefined,
  maxBytes: number,
  hadSession: boolean,
  now: number,
): Promise<Response> {
  const { status, headers } = stream;
  if (status < 300 && id === undefined) {
    // Only requests have a response body, but some servers send an endless one anyway.
    stream.close();
    return new Response(null, { status, headers });
  }
  const text = await readText(stream, maxBytes);
  if (status < 300 && id !== undefined) {
    const response = findResponseInBody(toMessages(tryParseJson(text)), id);
    if (response === undefined) throw new Error('The server sent no response that conforms to MCP.');
    // The response is used regardless of its content type and of other messages in the body.
    return Response.json(response, { headers: { ...headers, 'content-type': 'application/json' } });
  }
  const failure = toHttpRefusal(stream, text, hadSession, now);
  // Some servers send a JSON-RPC error with an error status; it is still the response to the request.
  const errorResponse = id === undefined ? undefined : parseErrorResponse(text, id);
  if (errorResponse !== undefined && isErrorForRequest(failure, errorResponse)) return Response.json(errorResponse);
  throw failure;
}

/** Reads a body up to its end, or to the end of the JSON in it: some bodies break off after it, or stay open. */
async function readText({ body }: OutboundStream, maxBytes: number): Promise<string> {
  const text = new GrowingBuffer();
  const endFinder = new JsonEndFinder();
  for await (const part of body) {
    text.append(part);
    if (text.length > maxBytes) throw new EventTooLargeError(maxBytes);
    const endOffset = endFinder.push(part);
    if (endOffset === undefined) continue;
    const json = text.peek().toString('utf8', 0, text.length - part.length + endOffset);
    if (tryParseJson(json) !== undefined) return json;
  }
  return text.take().toString('utf8');
}

function toHttpRefusal(
  { status, headers }: OutboundStream,
  text: string,
  hadSession: boolean,
  now: number,
): HttpRefusal {
  const { location } = headers;
  const detail = location === undefined ? parseErrorText(text).detail : `It redirects to ${location}`;
  return new HttpRefusal(status, detail ?? '', {
    hadSession,
    retryAfterMs: parseRetryAfterMs(new Headers(headers), now),
  });
}

function parseOutgoingMessage(body: unknown): OutgoingMessage {
  return typeof body === 'string' ? (JSON.parse(body) as OutgoingMessage) : {};
}

interface JsonRpcError {
  readonly id: RequestId;
  readonly error: { readonly code: number };
}

function parseErrorResponse(text: string, id: RequestId): JsonRpcError | undefined {
  const message = tryParseJson(text);
  const response = isResponseTo(message, id) ? toMessage(message) : undefined;
  return response !== undefined && 'error' in response ? { ...response, id } : undefined;
}

/**
 * Returns whether a JSON-RPC error is the response to the request, rather than a refusal of the session or of all
 * requests.
 */
function isErrorForRequest({ status, reportsSessionEnd }: HttpRefusal, { error: { code } }: JsonRpcError): boolean {
  if (status === 401 || status === 403 || status === 429) return false;
  return !reportsSessionEnd || code === ProtocolErrorCode.MethodNotFound || code === ProtocolErrorCode.InvalidParams;
}
