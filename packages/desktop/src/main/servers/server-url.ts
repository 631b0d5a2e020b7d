/** Why an address is none of a server. `insecure`: only the own machine may be reached without TLS. */
export type BadAddress = 'invalid' | 'insecure' | 'credentials';

/**
 * The address of a server as it is kept: origin and path, without a slash at the end.
 *
 * @param text as somebody typed it; without a scheme `https` is meant
 */
export function serverUrl(text: string): { readonly url: string } | { readonly bad: BadAddress } {
  const trimmed = text.trim();
  const url = parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url === undefined || url.search !== '' || url.hash !== '' || url.hostname === '') return { bad: 'invalid' };
  if (url.username !== '' || url.password !== '') return { bad: 'credentials' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { bad: 'invalid' };
  if (!isSecure(url)) return { bad: 'insecure' };
  return { url: `${url.origin}${url.pathname}`.replace(/\/+$/, '') };
}

/** Whether what is sent there can't be read on the way: TLS, or this machine itself (RFC 8252, 7.3). */
export function isSecure(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/** Names that resolve nowhere else: addresses of the machine itself, and `localhost` (RFC 6761, 6.3). */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
