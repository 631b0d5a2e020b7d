import { parseUrl } from './parse-url.js';

/** The first 96 bits of IPv4-mapped addresses (RFC 4291, 2.5.5.2) and of NAT64 addresses (RFC 6052). */
const IPV4_MAPPED = '0:0:0:0:0:ffff';
const NAT64 = '64:ff9b:0:0:0:0';

/** A host in the form that rules use, with its port as a separate member. */
export interface NetworkHost {
  /**
   * The name in lower case, without the trailing dot of an absolute name; an internationalised name is encoded as
   * A-labels (RFC 5890). An address is in its canonical form (RFC 5952), without brackets; an IPv4 address embedded in
   * an IPv6 one is written as IPv4.
   */
  readonly name: string;
  /** The port in the input; `undefined` if the input has none. */
  readonly port: number | undefined;
}

/**
 * Reads `host` or `host:port`, as in `URL.host`, so that all spellings of a host result in the same name. User
 * information before the host is ignored.
 *
 * @returns `undefined` if the text is not a host
 */
export function readNetworkHost(text: string): NetworkHost | undefined {
  const url = `http://${isBareIpv6(text) ? `[${text}]` : text}`;
  const parsed = /[\s/?#\\]/.test(text) ? undefined : parseUrl(url);
  if (parsed === undefined) return undefined;
  const { hostname, port } = parsed;
  const name = hostname.startsWith('[') ? toIpv6Name(hostname.slice(1, -1)) : hostname.replace(/\.+$/, '');
  // The URL parser omits port 80, the default of HTTP, although the actual protocol may have another default.
  const explicitPort = port === '' && /:0*80$/.test(text) && !isBareIpv6(text) ? '80' : port;
  return name === '' ? undefined : { name, port: explicitPort === '' ? undefined : Number(explicitPort) };
}

/**
 * Returns the IPv4 address that is embedded in an IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2) or in a NAT64 address
 * (RFC 6052, 64:ff9b::/96); `undefined` for all other addresses.
 *
 * @param address an IPv6 address without brackets and zone
 */
export function findEmbeddedIpv4(address: string): string | undefined {
  const groups = parseIpv6Groups(address);
  const prefix = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(':');
  if (prefix !== IPV4_MAPPED && prefix !== NAT64) return undefined;
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/**
 * Returns the eight groups of 16 bits (RFC 4291, 2.2).
 *
 * @param address an IPv6 address without brackets and zone
 */
export function parseIpv6Groups(address: string): readonly number[] {
  // The URL parser normalizes every address (WHATWG URL, 3.5): hexadecimal, with the longest run of zeros omitted.
  const [head = '', tail = ''] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const [before, after] = [parseGroups(head), parseGroups(tail)];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

function parseGroups(part: string): readonly number[] {
  return part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
}

function toIpv6Name(address: string): string {
  return findEmbeddedIpv4(address) ?? address;
}

/** Returns whether a text is an IPv6 address without brackets: a text with two or more colons is not `host:port`. */
function isBareIpv6(text: string): boolean {
  return /^[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*$/i.test(text);
}
