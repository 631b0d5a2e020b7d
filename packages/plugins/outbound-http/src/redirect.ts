import type { IncomingMessage } from 'node:http';
import type { OutboundCredential } from '@countersign/core/plugin';
import { permanentError } from './outbound-errors.js';

/** The request of one hop. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly credential: OutboundCredential | undefined;
}

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Headers that are kept when a redirect leads to another origin. */
const FORWARDED_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-type',
  'user-agent',
  'idempotency-key',
]);

/** Returns the redirect target of a response; `undefined` if there is none. */
export function findRedirectLocation({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  return REDIRECT_STATUSES.has(statusCode) ? headers.location : undefined;
}

/**
 * Returns the next hop as browsers do (Fetch standard, HTTP-redirect fetch): 303, and 301 and 302 after a POST,
 * continue as GET. Redirects from https to http are refused. Another origin receives neither credentials nor custom
 * headers.
 *
 * @param url checked target
 * @throws {OutboundHttpError} `outbound_redirect_refused`
 */
export function buildNextHop(hop: Hop, status: number, url: URL): Hop {
  if (hop.url.protocol === 'https:' && url.protocol !== 'https:') {
    throw permanentError(
      'outbound_redirect_refused',
      `${hop.url.host} redirects from https to an unencrypted connection.`,
    );
  }
  const becomesGet =
    (status === 303 && hop.method !== 'HEAD') || ((status === 301 || status === 302) && hop.method === 'POST');
  const changesOrigin = url.origin !== hop.url.origin;
  const headers = Object.entries(hop.headers).filter(
    ([name]) => (!changesOrigin || FORWARDED_HEADERS.has(name)) && !(becomesGet && name.startsWith('content-')),
  );
  return {
    url,
    method: becomesGet ? 'GET' : hop.method,
    headers: Object.fromEntries(headers),
    body: becomesGet ? undefined : hop.body,
    credential: changesOrigin ? undefined : hop.credential,
  };
}
