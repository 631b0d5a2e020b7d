import type { OutboundHttpPort, OutboundRequest } from '@countersign/core/plugin';

/** Statuses of responses without a body (RFC 9110, 15.3.5, 15.3.6, 15.4.5). `Response` refuses a body for them. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

type Fixed = Pick<OutboundRequest, 'credential' | 'allowedHosts' | 'allowedHostsKey' | 'signal'>;

/**
 * Returns a `fetch` for Octokit that uses the connectors' outbound HTTP client and sends the token only to the
 * configured host.
 */
export function guardedFetch(http: OutboundHttpPort, fixed: Fixed) {
  return async (
    url: string,
    { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<Response> => {
    const answer = await http.send({ ...fixed, method, url, headers, ...(body === undefined ? {} : { body }) });
    return new Response(BODILESS.has(answer.status) ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: answer.headers,
    });
  };
}
