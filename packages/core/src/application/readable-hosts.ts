import { readNetworkHost } from '@countersign/model';

/** Each once, in one order. Policies decide by hosts. @throws {Error} where one can't be read */
export function readableHosts(hosts: readonly string[]): readonly string[] {
  const unreadable = hosts.find((host) => readNetworkHost(host) === undefined);
  if (unreadable !== undefined) throw new Error(`"${unreadable}" is not a host.`);
  return [...new Set(hosts)].sort();
}
