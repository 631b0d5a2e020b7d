import { ipv6Groups } from '@countersign/model';
import { isIPv6 } from 'node:net';

/**
 * What a caller is counted by: the IPv4 address, also where it is mapped into IPv6 (RFC 4291, 2.5.5.2), and of IPv6 the
 * first 64 bits, as whoever has one such address has all the others of its network too.
 */
export function clientNetwork(address: string): string {
  const plain = address.split('%', 1)[0] ?? address;
  if (!isIPv6(plain)) return plain;
  const groups = ipv6Groups(plain);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    const [high = 0, low = 0] = groups.slice(6);
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}
