import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { OutboundRequest } from '@countersign/core/plugin';
import { permanentError } from './outbound-errors.js';
import { matchesHostPattern, matchesHost } from './host-patterns.js';

const METHOD_PATTERN = /^[A-Z][A-Z-]{0,31}$/;
const REFUSED_METHODS: ReadonlySet<string> = new Set(['CONNECT', 'TRACE']);
const MAX_URL_LENGTH = 8_192;
/**
 * Headers that determine framing and routing (RFC 9110, 7.6.1), or the encoding of the response. Neither the caller nor
 * a credential may set them.
 */
const FRAMING_HEADERS: ReadonlySet<string> = new Set([
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
const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie', 'cookie2']);

/**
 * Checks an HTTP method and returns it in upper case.
 *
 * @throws {OutboundHttpError} `outbound_request_invalid`
 */
export function checkMethod(method: string): string {
  const name = method.toUpperCase();
  if (METHOD_PATTERN.test(name) && !REFUSED_METHODS.has(name)) return name;
  throw permanentError('outbound_request_invalid', 'This HTTP method cannot be sent.');
}

/**
 * Checks headers and returns them with lower-case names.
 *
 * @throws {OutboundHttpError} `outbound_request_invalid`
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [originalName, value] of Object.entries(headers)) {
    const name = originalName.toLowerCase();
    if (FRAMING_HEADERS.has(name) || CREDENTIAL_HEADERS.has(name)) {
      throw permanentError(
        'outbound_request_invalid',
        `The header "${name}" cannot be set. For credentials, use the name of a secret.`,
      );
    }
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw permanentError(
        'outbound_request_invalid',
        `The header "${name.slice(0, 80).replaceAll(/[^\x20-\x7e]/g, '?')}" contains characters that headers must not contain.`,
      );
    }
    checked[name] = value;
  }
  return checked;
}

/** Returns whether a header with this name may carry a credential. */
export function canHoldCredential(name: string): boolean {
  return !FRAMING_HEADERS.has(name.toLowerCase());
}

type AllowedHosts = Pick<OutboundRequest, 'allowedHosts' | 'allowedHostsKey'>;

/**
 * Checks a URL against the allowed hosts.
 *
 * @throws {OutboundHttpError} `outbound_url_invalid`, `outbound_host_not_allowed`
 */
export function checkUrl(
  target: string | URL,
  base: URL | undefined,
  { allowedHosts, allowedHostsKey }: AllowedHosts,
): URL {
  const text = String(target);
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text, base?.href))
    throw permanentError('outbound_url_invalid', 'The URL is invalid or too long.');
  const url = new URL(text, base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw permanentError('outbound_url_invalid', 'The URL must start with https:// or http://.');
  if (url.username !== '' || url.password !== '') {
    throw permanentError(
      'outbound_url_invalid',
      `The URL of ${url.host} contains a user name or password. For credentials, use the name of a secret.`,
    );
  }
  if (!matchesHostPattern(url, allowedHosts)) {
    const remedy = allowedHostsKey === undefined ? '' : ` To allow it, change ${allowedHostsKey}.`;
    throw permanentError('outbound_host_not_allowed', `${url.host} is not an allowed host.${remedy}`);
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
  firstUrl: URL,
  { redirectHosts }: Pick<OutboundRequest, 'redirectHosts'>,
): void {
  if (redirectHosts === undefined || matchesHost(url, [firstUrl.host, ...redirectHosts])) return;
  throw permanentError(
    'outbound_redirect_refused',
    `${from.host} redirects to ${url.host}, which this call does not allow. To allow it, add it to "redirectHosts".`,
  );
}
