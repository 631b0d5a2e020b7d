import type { OutboundHttpPort, OutboundRequest } from '@countersign/core/plugin';

/** Statuses of responses without a body (RFC 9110, 15.3.5, 15.3.6, 15.4.5). `Response` refuses a body for them. */
const BODILESS_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

type FetchOptions = Pick<OutboundRequest, 'credential' | 'allowedHosts' | 'allowedHostsKey' | 'signal'>;

/**
 * Returns a `fetch` for Octokit that uses the connectors' outbound HTTP client and sends the token only to the
 * configured host.
 */
export function guardedFetch(http: OutboundHttpPort, options: FetchOptions) {
  return async (
    url: string,
    { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<Response> => {
    const response = await http.send({ ...options, method, url, headers, ...(body === undefined ? {} : { body }) });
    return new Response(BODILESS_STATUSES.has(response.status) ? null : new Uint8Array(response.body), {
      status: response.status,
      headers: response.headers,
    });
  };
}
