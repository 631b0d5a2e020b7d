import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { OutboundRequest } from '@countersign/core/plugin';
import { refused } from './failures.js';
import { fitsHost, isAmongHosts } from './host-patterns.js';

const METHOD = /^[A-Z][A-Z-]{0,31}$/;
const METHODS_REFUSED: ReadonlySet<string> = new Set(['CONNECT', 'TRACE']);
const MAX_URL = 8_192;
/**
 * Headers that determine message framing and routing (RFC 9110, 7.6.1). Neither the caller nor a credential may set
 * them.
 */
const FRAMING: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'http2-settings',
  'proxy-connection',
  'accept-encoding',
]);
/** Headers that identify the sender. */
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie', 'cookie2']);

/**
 * Checks an HTTP method and returns it in upper case.
 *
 * @throws {OutboundHttpError} `outbound_request_invalid`
 */
export function checkMethod(method: string): string {
  const name = method.toUpperCase();
  if (METHOD.test(name) && !METHODS_REFUSED.has(name)) return name;
  throw refused('outbound_request_invalid', 'This HTTP method cannot be sent.');
}

/**
 * Checks headers and returns them with lower-case names.
 *
 * @throws {OutboundHttpError} `outbound_request_invalid`
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase();
    if (FRAMING.has(name) || CREDENTIALS.has(name)) {
      throw refused(
        'outbound_request_invalid',
        `The header "${name}" cannot be set. For credentials, use the name of a secret.`,
      );
    }
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw refused(
        'outbound_request_invalid',
        `The header "${name.slice(0, 80).replaceAll(/[^\x20-\x7e]/g, '?')}" contains characters that headers must not contain.`,
      );
    }
    checked[name] = value;
  }
  return checked;
}

/** Returns whether a header with this name may carry a credential. */
export function mayHoldCredential(name: string): boolean {
  return !FRAMING.has(name.toLowerCase());
}

type AllowedHosts = Pick<OutboundRequest, 'allowedHosts' | 'allowedHostsKey'>;

/**
 * Checks a URL against the allowed hosts.
 *
 * @throws {OutboundHttpError} `outbound_url_invalid`, `outbound_host_not_allowed`
 */
export function checkUrl(
  given: string | URL,
  base: URL | undefined,
  { allowedHosts, allowedHostsKey }: AllowedHosts,
): URL {
  const text = String(given);
  if (text.length > MAX_URL || !URL.canParse(text, base?.href))
    throw refused('outbound_url_invalid', 'The URL is invalid or too long.');
  const url = new URL(text, base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refused('outbound_url_invalid', 'The URL must start with https:// or http://.');
  if (url.username !== '' || url.password !== '') {
    throw refused(
      'outbound_url_invalid',
      `The URL of ${url.host} contains a user name or password. For credentials, use the name of a secret.`,
    );
  }
  if (!fitsHost(url, allowedHosts)) {
    const remedy = allowedHostsKey === undefined ? '' : ` To allow it, change ${allowedHostsKey}.`;
    throw refused('outbound_host_not_allowed', `${url.host} is not an allowed host.${remedy}`);
  }
  return url;
}

/**
 * Checks the target of a redirect against the hosts that the request names.
 *
 * @throws {OutboundHttpError} `outbound_redirect_refused`
 */
export function checkRedirect(
  url: URL,
  from: URL,
  first: URL,
  { redirectHosts }: Pick<OutboundRequest, 'redirectHosts'>,
): void {
  if (redirectHosts === undefined || isAmongHosts(url, [first.host, ...redirectHosts])) return;
  throw refused(
    'outbound_redirect_refused',
    `${from.host} redirects to ${url.host}, which this call does not allow. To allow it, add it to "redirectHosts".`,
  );
}
