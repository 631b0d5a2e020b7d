import { parseUrl } from '@countersign/contract';

/** Reason why an address is refused. `insecure`: the address does not use TLS and is not on this machine. */
export type AddressError = 'invalid' | 'insecure' | 'credentials';

/**
 * Returns the normalized address of a server: origin and path, without a trailing slash.
 *
 * @param text as typed by the user; the default scheme is `https`
 */
export function parseServerUrl(text: string): { readonly url: string } | { readonly error: AddressError } {
  const trimmed = text.trim();
  const url = parseUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url === undefined || url.search !== '' || url.hash !== '' || url.hostname === '') return { error: 'invalid' };
  if (url.username !== '' || url.password !== '') return { error: 'credentials' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { error: 'invalid' };
  if (!isSecure(url)) return { error: 'insecure' };
  return { url: `${url.origin}${url.pathname}`.replace(/\/+$/, '') };
}

/** Returns whether traffic to the URL cannot be intercepted: TLS, or this machine itself (RFC 8252, 7.3). */
export function isSecure(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/** Returns whether a name always resolves to this machine: loopback addresses and `localhost` (RFC 6761, 6.3). */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
