import { BlockList, isIP } from 'node:net';
import { readNetworkHost } from '@countersign/model';

const LOCAL = new BlockList();
LOCAL.addSubnet('127.0.0.0', 8);
LOCAL.addSubnet('10.0.0.0', 8);
LOCAL.addSubnet('172.16.0.0', 12);
LOCAL.addSubnet('192.168.0.0', 16);
LOCAL.addSubnet('169.254.0.0', 16);
LOCAL.addSubnet('::1', 128, 'ipv6');
LOCAL.addSubnet('fc00::', 7, 'ipv6');
LOCAL.addSubnet('fe80::', 10, 'ipv6');

/**
 * Returns whether data sent to a URL could be read in transit: no TLS, and the host is neither this machine nor in a
 * private network.
 */
export function isInClear(url: URL): boolean {
  if (url.protocol === 'https:') return false;
  const host = readNetworkHost(url.hostname)?.name ?? url.hostname;
  const family = isIP(host);
  if (family !== 0) return !LOCAL.check(host, family === 6 ? 'ipv6' : 'ipv4');
  return host.includes('.') && !/\.(localhost|local|internal|lan|home\.arpa)$/.test(host);
}
