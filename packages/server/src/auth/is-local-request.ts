import { hostNameOf, isAddress, isLoopbackName } from '../net/host-names.js';

/**
 * Whether a request for a development token comes from somebody who knows this machine, and not from a web page that
 * makes a browser ask: a page elsewhere names its own `Origin`, and one whose name was bound to this machine's address
 * (DNS rebinding) names itself in `Host`. Addresses can't be rebound.
 *
 * @param ownHost `Server:Host`.
 */
export function isLocalRequest(
  headers: { readonly host?: string | undefined; readonly origin?: string | undefined },
  ownHost: string,
): boolean {
  const host = hostNameOf(`http://${headers.host ?? ''}`);
  if (host === undefined || !(isLoopbackName(host) || isAddress(host) || host === ownHost.toLowerCase())) return false;
  if (headers.origin === undefined) return true;
  const origin = hostNameOf(headers.origin);
  return origin !== undefined && (origin === host || isLoopbackName(origin));
}
