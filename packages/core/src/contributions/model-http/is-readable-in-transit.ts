import { BlockList, isIP } from 'node:net';
import { readNetworkHost } from '@countersign/model';

const LOCAL_NETWORKS = new BlockList();
LOCAL_NETWORKS.addSubnet('127.0.0.0', 8);
LOCAL_NETWORKS.addSubnet('10.0.0.0', 8);
LOCAL_NETWORKS.addSubnet('172.16.0.0', 12);
LOCAL_NETWORKS.addSubnet('192.168.0.0', 16);
LOCAL_NETWORKS.addSubnet('169.254.0.0', 16);
LOCAL_NETWORKS.addSubnet('::1', 128, 'ipv6');
LOCAL_NETWORKS.addSubnet('fc00::', 7, 'ipv6');
LOCAL_NETWORKS.addSubnet('fe80::', 10, 'ipv6');

/**
 * Returns whether data sent to a URL could be read in transit: no TLS, and neither the address nor the name of the
 * host is that of this machine or of a private network.
 */
export function isReadableInTransit(url: URL): boolean {
  if (url.protocol === 'https:') return false;
  const host = readNetworkHost(url.hostname)?.name ?? url.hostname;
  const family = isIP(host);
  if (family !== 0) return !LOCAL_NETWORKS.check(host, family === 6 ? 'ipv6' : 'ipv4');
  return host.includes('.') && !/\.(localhost|local|internal|lan|home\.arpa)$/.test(host);
}
