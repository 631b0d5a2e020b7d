import type { OutboundCredential, OutboundHttpPort } from '@countersign/core/plugin';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { McpServerConfiguration } from './configuration.js';

const MAX_ANSWER = 4_194_304;
/** Statuses whose answers have no body (RFC 9110, 15.3.5, 15.3.6, 15.4.5), which `Response` insists on. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * `fetch` for the SDK's transport, over the one way out that plugins have: to the host that is configured alone, with the
 * token, at addresses that may be reached. It reads each answer to its end, so there is no stream that the server may send
 * by at any time: a change of its tools is seen by listing them.
 */
export function guardedFetch(
  http: OutboundHttpPort,
  { Url: serverUrl = '', Token, TokenHeader, Timeout }: McpServerConfiguration,
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
    return new Response(BODILESS.has(answer.status) ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: answer.headers,
    });
  };
}
