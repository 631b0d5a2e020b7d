import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type BlockList as AddressSet } from 'node:net';
import type { ServiceIdentifier } from 'inversify';
import { toOutboundHttpError, permanentError } from './outbound-errors.js';
import { classifyAddress } from './networks.js';

/** Resolves a host name to addresses, like the system resolver. */
export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>;

export const ResolveName: ServiceIdentifier<ResolveName> = Symbol.for('@countersign/outbound-http:ResolveName');

export const systemResolver: ResolveName = (hostname) => lookup(hostname, { all: true });

export interface CheckedHost {
  /** The only addresses to connect to, because the name may resolve differently the next time. */
  readonly addresses: readonly LookupAddress[];
  /** Whether the connection leaves the operator's networks. */
  readonly isPublic: boolean;
}

/**
 * Resolves a host and checks all addresses. If any address is refused, the host is refused.
 *
 * @throws {OutboundHttpError} `outbound_address_not_allowed`, `outbound_name_not_found`
 */
export async function resolveHost(url: URL, resolve: ResolveName, allowed: AddressSet): Promise<CheckedHost> {
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(hostname);
  const addresses =
    version === 0
      ? await resolve(hostname).catch((error: unknown) => Promise.reject(toOutboundHttpError(error, url.host)))
      : [{ address: hostname, family: version }];
  const addressClasses = addresses.map(({ address }) => classifyAddress(address, allowed));
  if (addresses.length === 0 || addressClasses.includes('refused')) {
    throw permanentError(
      'outbound_address_not_allowed',
      `${url.host} has an address that is not public, so no request was sent. To allow requests, add its network to Connectors:AllowedNetworks.`,
    );
  }
  return { addresses, isPublic: addressClasses.includes('public') };
}
