import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type BlockList } from 'node:net';
import type { ServiceIdentifier } from 'inversify';
import { explained, refused } from './failures.js';
import { classifyAddress } from './networks.js';

/** Names to addresses, as the system does it. */
export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>;

export const ResolveName: ServiceIdentifier<ResolveName> = Symbol.for('@countersign/outbound-http:ResolveName');

export const resolveBySystem: ResolveName = (hostname) => lookup(hostname, { all: true });

export interface CheckedHost {
  /** To be connected to, and no others: the name may come to something else when it is asked for again. */
  readonly addresses: readonly LookupAddress[];
  /** Whether the way there leaves the networks of the operator. */
  readonly isPublic: boolean;
}

/**
 * The addresses of a host, all of them checked: a name of which one address is private is refused altogether.
 *
 * @throws {OutboundHttpError} `outbound_address_not_allowed`, `outbound_name_not_found`
 */
export async function resolveHost(url: URL, resolve: ResolveName, allowed: BlockList): Promise<CheckedHost> {
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(hostname);
  const addresses =
    version === 0
      ? await resolve(hostname).catch((error: unknown) => Promise.reject(explained(error, url.host)))
      : [{ address: hostname, family: version }];
  const reaches = addresses.map(({ address }) => classifyAddress(address, allowed));
  if (addresses.length === 0 || reaches.includes('refused')) {
    throw refused(
      'outbound_address_not_allowed',
      `${url.host} is at no public address, so it is not called. If it is meant to be, add its network to Connectors:AllowedNetworks.`,
    );
  }
  return { addresses, isPublic: reaches.includes('public') };
}
