import { parseUrl } from '@countersign/model';
import { isIP } from 'node:net';

/** Returns the host of a URL, in lower case and without its port; `undefined` if there is none. */
export function parseHostName(url: string): string | undefined {
  const name = parseUrl(url)?.hostname;
  return name === '' ? undefined : name;
}

/** Returns whether a name always refers to this machine (RFC 6761, 6.3). IPv6 addresses have brackets, as in a URL. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || isLoopbackIpv4(name);
}

/** Returns whether a name is an IP address, which no DNS server can rebind. */
export function isIpAddress(name: string): boolean {
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

/** Returns whether the peer of a connection is this machine. IPv4 addresses may be mapped into IPv6. */
export function isLoopbackPeer(address: string | undefined): boolean {
  if (address === undefined) return false;
  const plainAddress = address.replace(/^::ffff:/i, '');
  return plainAddress === '::1' || isLoopbackIpv4(plainAddress);
}

function isLoopbackIpv4(address: string): boolean {
  return isIP(address) === 4 && address.startsWith('127.');
}
