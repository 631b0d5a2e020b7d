import { BlockList as AddressSet, isIP } from 'node:net';
import { findEmbeddedIpv4 } from '@countersign/model';

/** A network in CIDR form, or a single address. */
export interface Network {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Parses `10.0.0.0/8`, `fd00::/8` or `10.1.2.3`; returns `undefined` for anything else. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', length, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return undefined;
  const maxPrefix = version === 4 ? 32 : 128;
  const prefix = length === undefined ? maxPrefix : /^\d{1,3}$/.test(length) ? Number(length) : Infinity;
  return prefix <= maxPrefix ? { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' } : undefined;
}

export function createAddressSet(networks: readonly Network[]): AddressSet {
  const list = new AddressSet();
  for (const { address, prefix, family } of networks) list.addSubnet(address, prefix, family);
  return list;
}

/**
 * IPv4 networks that are not "globally reachable" in the IANA IPv4 Special-Purpose Address Registry (RFC 6890),
 * including multicast and reserved ones. IPv6 is public only within global unicast (2000::/3), except for the entries
 * of the corresponding IPv6 registry.
 */
const NON_PUBLIC_IPV4 = parseAddressSet(
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
);
const GLOBAL_IPV6 = parseAddressSet('2000::/3');
const NON_PUBLIC_IPV6 = parseAddressSet('2001::/23 2001:db8::/32 2002::/16 3fff::/20');

/**
 * Addresses that stay refused even in allowed networks. No workflow needs them, and they include the metadata services
 * of clouds (169.254.169.254, fd00:ec2::254, 100.100.100.200, 192.0.0.192, and 168.63.129.16 among public
 * addresses), which hand out credentials.
 */
const ALWAYS_REFUSED = parseAddressSet(
  '0.0.0.0/8 168.63.129.16 169.254.0.0/16 192.0.0.192 100.100.100.200 224.0.0.0/4 255.255.255.255 ::/128 fe80::/10 fd00:ec2::/32 ff00::/8',
);

export type AddressClass = 'public' | 'allowed' | 'refused';

/** Classifies an address: public, in an allowed network, or refused. */
export function classifyAddress(address: string, allowed: AddressSet): AddressClass {
  const literal = address.includes('%') ? '' : isIP(address) === 6 ? (findEmbeddedIpv4(address) ?? address) : address;
  const version = isIP(literal);
  if (version === 0) return 'refused';
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (ALWAYS_REFUSED.check(literal, family)) return 'refused';
  if (isPublic(literal, family)) return 'public';
  return allowed.check(literal, family) ? 'allowed' : 'refused';
}

function isPublic(address: string, family: 'ipv4' | 'ipv6'): boolean {
  if (family === 'ipv4') return !NON_PUBLIC_IPV4.check(address, family);
  return GLOBAL_IPV6.check(address, family) && !NON_PUBLIC_IPV6.check(address, family);
}

function parseAddressSet(networks: string): AddressSet {
  return createAddressSet(
    networks.split(' ').map((text) => {
      const network = parseNetwork(text);
      if (network === undefined) throw new Error(`${text} is not a network.`);
      return network;
    }),
  );
}
