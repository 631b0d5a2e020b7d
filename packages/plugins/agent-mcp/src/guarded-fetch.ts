import {
  type OutboundCredential,
  type OutboundHttpPort,
  type OutboundResponse,
  readErrorText,
  retryAfterMs,
} from '@countersign/core/plugin';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { McpServerConfiguration } from './configuration.js';
import { HttpRefusal } from './http-refusal.js';
import { oneLine } from './visible-text.js';

const MAX_ANSWER = 4_194_304;
/** Statuses whose answers have no body (RFC 9110, 15.3.5, 15.3.6, 15.4.5), which `Response` insists on. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * `fetch` for the SDK's transport, over the one way out that plugins have: to the host that is configured alone, with the
 * token, at addresses that may be reached. It reads each answer to its end, so there is no stream that the server may send
 * by at any time: a change of its tools is seen by listing them.
 *
 * @param now milliseconds since the epoch
 * @throws {HttpRefusal} where a message is answered with the status of an error, and no error of JSON-RPC
 */
export function guardedFetch(
  http: OutboundHttpPort,
  { Url: serverUrl = '', Token, TokenHeader, Timeout }: McpServerConfiguration,
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
    const answer = await http.send({
      method,
      url,
      headers: given,
      ...(typeof body === 'string' ? { body } : {}),
      ...(credential === undefined ? {} : { credential }),
      allowedHosts,
      allowedHostsKey: 'Agents:Mcp:Servers',
      timeoutMs: Timeout,
      maxBytes: MAX_ANSWER,
      maxRedirects: 0,
      ...(signal === undefined || signal === null ? {} : { signal }),
    });
    if (method === 'POST' && answer.status >= 300) return refused(answer, given, body, now());
    return new Response(BODILESS.has(answer.status) ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: answer.headers,
    });
  };
}

/**
 * Some servers give the error of a request with the status of one, which answers it all the same. Those that know no session
 * any more don't name the request in it.
 */
function refused(
  { status, headers, body }: OutboundResponse,
  given: Readonly<Record<string, string>>,
  request: unknown,
  now: number,
): Response {
  const text = body.toString('utf8');
  const error = errorOf(text, request);
  if (error !== undefined) return Response.json(error);
  const said =
    headers['location'] === undefined ? readErrorText(text).detail : `It redirects to ${headers['location']}`;
  throw new HttpRefusal(status, oneLine(said ?? ''), {
    hadSession: given['mcp-session-id'] !== undefined,
    retryAfterMs: retryAfterMs(new Headers(headers), now),
  });
}

function errorOf(text: string, request: unknown): object | undefined {
  try {
    const { id } = JSON.parse(String(request)) as { id?: unknown };
    const answer = JSON.parse(text) as { id?: unknown; jsonrpc?: unknown; error?: unknown } | null;
    const isAnswer = id !== undefined && answer?.id === id && answer.jsonrpc === '2.0' && answer.error !== undefined;
    return isAnswer ? answer : undefined;
  } catch {
    return undefined;
  }
}
