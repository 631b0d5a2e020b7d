import type { OutboundHttpPort, OutboundRequest } from '@countersign/core/plugin';

/** Statuses whose answers have no body (RFC 9110, 15.3.5, 15.3.6, 15.4.5), which `Response` insists on. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

type Fixed = Pick<OutboundRequest, 'credential' | 'allowedHosts' | 'allowedHostsKey' | 'signal'>;

/** `fetch` for Octokit, over the one way out that connectors have: it gives the token to the host that is configured alone. */
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
