import { parseHostName, isIpAddress, isLoopbackName } from '../net/host-names.js';

/**
 * Returns whether a request for a development token comes from a local program or page, not from a foreign web page. A
 * browser sends the origin of a foreign page in `Origin`. If the host name of the page was bound to this machine's
 * address (DNS rebinding), it sends that name in `Host`. Addresses cannot be rebound.
 *
 * @param ownHost `Server:Host`
 */
export function isLocalRequest(
  headers: { readonly host?: string | undefined; readonly origin?: string | undefined },
  ownHost: string,
): boolean {
  const host = parseHostName(`http://${headers.host ?? ''}`);
  if (host === undefined || !(isLoopbackName(host) || isIpAddress(host) || host === ownHost.toLowerCase()))
    return false;
  if (headers.origin === undefined) return true;
  const origin = parseHostName(headers.origin);
  return origin !== undefined && (origin === host || isLoopbackName(origin));
}
