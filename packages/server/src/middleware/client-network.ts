import { parseIpv6Groups } from '@countersign/model';
import { isIPv6 } from 'node:net';

/**
 * Returns the network by which a caller is counted: the IPv4 address, even if mapped into IPv6 (RFC 4291, 2.5.5.2), or
 * the first 64 bits of an IPv6 address, because a caller with one address usually controls its whole network.
 */
export function getClientNetwork(address: string): string {
  const addressWithoutZone = address.split('%', 1)[0] ?? address;
  if (!isIPv6(addressWithoutZone)) return addressWithoutZone;
  const groups = parseIpv6Groups(addressWithoutZone);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    const [high = 0, low = 0] = groups.slice(6);
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}
