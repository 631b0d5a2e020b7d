import {
  type OutboundCredential,
  type OutboundHttpPort,
  type OutboundStream,
  readErrorText,
  retryAfterMs,
} from '@countersign/core/plugin';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { answerEvents } from './answer-events.js';
import { isJsonObject } from '@countersign/model';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import type { McpServerConfiguration } from './configuration.js';
import { EventTooLarge } from './event-splitter.js';
import { GrowingBuffer } from './growing-buffer.js';
import { HttpRefusal } from './http-refusal.js';

type Id = string | number;

/** Bytes of one message. */
const MAX_MESSAGE = 4_194_304;
/** Bytes of all messages by which one request is answered: what is told of its progress, and the answer. */
const MAX_STREAM = 67_108_864;
/** Of the answer to `initialize`, which is read in all its parts. */
const MAX_INITIALIZE = 262_144;
/** Of what is said where there is no answer, in characters. */
const MAX_SAID = 4_096;
/** Statuses whose answers have no body (RFC 9110, 15.3.5, 15.3.6, 15.4.5), which `Response` insists on. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * `fetch` for the SDK's transport, over the one way out that plugins have: to the host that is configured alone, with the
 * token, at addresses that may be reached. An answer counts as soon as it is there, whatever becomes of its stream. There is
 * no stream that the server may send by at any time: a change of its tools is seen by listing them.
 *
 * @param now milliseconds since the epoch
 * @throws {HttpRefusal} where a message is answered with the status of an error, and no error of JSON-RPC
 */
export function guardedFetch(
  http: OutboundHttpPort,
  { Url: serverUrl = '', Token, TokenHeader, Timeout, ConnectTimeout }: McpServerConfiguration,
  now: () => number,
): FetchLike {
  const allowedHosts = [new URL(serverUrl).host];
  const credential: OutboundCredential | undefined = Token.isSet
    ? TokenHeader === ''
      ? { type: 'bearer', secret: Token }
      : { type: 'header', name: TokenHeader, secret: Token }
    : undefined;
  return async (url, { method = 'GET', headers, body, signal } = {}) => {
    const given = Object.fromEntries(new Headers(headers).entries());
    // What a server answers that offers no such stream (MCP 2025-06-18, "Listening for Messages from the Server").
    if (method === 'GET' && given['last-event-id'] === undefined) return new Response(null, { status: 405 });
    const { id, method: asked } = method === 'POST' ? requestOf(body) : {};
    const isConnecting = asked !== undefined && asked !== 'tools/call';
    const most = asked === 'initialize' ? MAX_INITIALIZE : MAX_MESSAGE;
    const answer = await http.stream({
      method,
      url,
      headers: given,
      ...(typeof body === 'string' ? { body } : {}),
      ...(credential === undefined ? {} : { credential }),
      allowedHosts,
      allowedHostsKey: 'Agents:Mcp:Servers',
      timeoutMs: isConnecting ? ConnectTimeout : Timeout,
      maxBytes: MAX_STREAM,
      maxRedirects: 0,
      ...(signal === undefined || signal === null ? {} : { signal }),
    });
    const { status } = answer;
    const isStream = status === 200 && /^text\/event-stream\b/i.test(answer.headers['content-type'] ?? '');
    if (isStream) return new Response(eventStream(answer, id, most), { headers: answer.headers });
    const text = await readText(answer, most);
    if (method !== 'POST' || status < 300)
      return new Response(BODILESS.has(status) ? null : text, { status, headers: answer.headers });
    const failure = refusal(answer, text, given['mcp-session-id'] !== undefined, now());
    // Some servers give the error of a request with the status of one, which answers it all the same.
    const error = errorOf(text, id);
    if (error !== undefined && !(failure.isSessionEnd && saysNothingElse(failure, error))) return Response.json(error);
    throw failure;
  };
}

function eventStream(answer: OutboundStream, id: Id | undefined, most: number): ReadableStream<Uint8Array> {
  const events = answerEvents(answer, id, most);
  return new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await events.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    // Also where nothing of it was read.
    cancel: () => answer.close(),
  });
}

async function readText({ body }: OutboundStream, most: number): Promise<string> {
  const text = new GrowingBuffer();
  for await (const part of body) {
    text.append(part);
    if (text.length > most) throw new EventTooLarge(most);
  }
  return text.take().toString('utf8');
}

function refusal({ status, headers }: OutboundStream, text: string, hadSession: boolean, now: number): HttpRefusal {
  const { location } = headers;
  const said = location === undefined ? readErrorText(text).detail : `It redirects to ${location}`;
  return new HttpRefusal(status, (said ?? '').slice(0, MAX_SAID), {
    hadSession,
    retryAfterMs: retryAfterMs(new Headers(headers), now),
  });
}

/** Of the message that is sent, what it asks and by which id; nothing where it wants no answer. */
function requestOf(message: unknown): { readonly id?: Id; readonly method?: string } {
  const { id, method } = typeof message === 'string' ? (JSON.parse(message) as { id?: Id; method?: string }) : {};
  if (method === undefined) return {};
  return id === undefined ? { method } : { id, method };
}

interface JsonRpcError {
  readonly id: Id;
  readonly error: { readonly code?: unknown };
}

function errorOf(text: string, id: Id | undefined): JsonRpcError | undefined {
  try {
    const answer = JSON.parse(text) as { id?: unknown; jsonrpc?: unknown; error?: unknown } | null;
    const isAnswer = id !== undefined && answer?.id === id && answer.jsonrpc === '2.0' && isJsonObject(answer.error);
    return isAnswer ? (answer as JsonRpcError) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an error may mean the session: it does not say that the method or its parameters are wrong. */
function saysNothingElse({ namesSession }: HttpRefusal, { error: { code } }: JsonRpcError): boolean {
  return namesSession || (code !== ErrorCode.MethodNotFound && code !== ErrorCode.InvalidParams);
}
