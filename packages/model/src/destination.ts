import { readNetworkHost } from './network-host.js';
import { parseUrl } from './parse-url.js';

/** Default ports by scheme: RFC 9110, 4.2.1 and 4.2.2; RFC 6455, 3. */
const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443, ws: 80, wss: 443 };
/** The ports of a host whose protocol is unknown. */
const HTTP_AND_HTTPS_PORTS = [80, 443] as const;
/** Matches an opaque origin (RFC 6454, 6.1) and a host with an empty port. */
const INVALID_HOST = /^null$|[^:]:$/i;
const MAX_PORT = 65_535;
const ORIGIN = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)$/i;

/** The destination of a step or a call, as policies see it. */
export interface Destination {
  /** Sorted hosts in the form of `URL.host`: with a port if it is not the default of the scheme. */
  readonly hosts: readonly string[];
  /** Sorted ports that are used, including default ports. */
  readonly ports: readonly number[];
}

/** The destination of a call. If it has no ports, its hosts imply them. */
type CallDestination = Pick<Destination, 'hosts'> & Partial<Pick<Destination, 'ports'>>;

/**
 * Reads the origins that a plugin declares for its work.
 *
 * @param origins each a scheme, a host and a port, in the form of `URL.origin` (RFC 6454, 6.2), or `host` or
 * `host:port` if the scheme is unknown
 * @throws {Error} if an origin cannot be parsed, because policies depend on all of them
 */
export function readDestination(origins: readonly string[]): Destination {
  // A plugin may return a string, whose characters would pass as hosts.
  if (!Array.isArray(origins)) throw new Error(`${JSON.stringify(origins)} is not a list of origins.`);
  const hosts = new Set<string>();
  const ports = new Set<number>();
  for (const origin of origins) {
    const parsed = readOrigin(origin);
    if (parsed === undefined)
      throw new Error(
        `"${origin}" is neither an origin such as "https://api.example.com:8443" nor a host with an optional port.`,
      );
    hosts.add(parsed.host);
    for (const port of parsed.ports) ports.add(port);
  }
  return { hosts: [...hosts].sort(), ports: sortPorts(ports) };
}

/**
 * Returns the ports on which hosts may be contacted if no ports were recorded. A host without a port may use the
 * default of HTTP or HTTPS. Strings that are not hosts are ignored.
 */
export function resolvePorts(hosts: readonly string[]): readonly number[] {
  return sortPorts(new Set(hosts.flatMap((host) => resolveHostPorts(readNetworkHost(host)))));
}

/**
 * Reads the destination of a call that an agent runtime proposes: its hosts may also be origins, and it has ports if
 * the hosts do not imply them.
 *
 * @throws {Error} if it cannot be parsed, because policies depend on it
 */
export function readCallDestination({ hosts, ports }: CallDestination): CallDestination {
  const parsed = readDestination(hosts);
  const impliedPorts = resolvePorts(parsed.hosts);
  if (ports === undefined) return arePortsEqual(parsed.ports, impliedPorts) ? { hosts: parsed.hosts } : parsed;
  const invalidPort = ports.find((port) => !(Number.isInteger(port) && port >= 0 && port <= MAX_PORT));
  if (invalidPort !== undefined) throw new Error(`${JSON.stringify(invalidPort)} is not a port from 0 to ${MAX_PORT}.`);
  // The port of a host is always included, even if the list does not contain it.
  const explicitPorts = parsed.hosts.flatMap((host) => readNetworkHost(host)?.port ?? []);
  return { hosts: parsed.hosts, ports: sortPorts(new Set([...ports, ...explicitPorts])) };
}

/**
 * Returns the origins that a request for a URL may reach within its host: a server without TLS may redirect to the same
 * host with TLS, if both use the default port.
 */
export function listOriginsWithinHost({ origin, protocol, port, host }: URL): readonly string[] {
  return protocol === 'http:' && port === '' ? [origin, `https://${host}`] : [origin];
}

function readOrigin(text: string): { readonly host: string; readonly ports: readonly number[] } | undefined {
  const [, scheme, authority = text] = ORIGIN.exec(text) ?? [];
  const parsed = authority.includes('@') || INVALID_HOST.test(text) ? undefined : readNetworkHost(authority);
  if (parsed === undefined) return undefined;
  if (scheme === undefined) return { host: text, ports: resolveHostPorts(parsed) };
  const port = parsed.port ?? DEFAULT_PORTS[scheme.toLowerCase()];
  const url = parseUrl(text);
  return port === undefined || url === undefined ? undefined : { host: url.host, ports: [port] };
}

function resolveHostPorts(host: ReturnType<typeof readNetworkHost>): readonly number[] {
  if (host === undefined) return [];
  return host.port === undefined ? HTTP_AND_HTTPS_PORTS : [host.port];
}

function arePortsEqual(ports: readonly number[], others: readonly number[]): boolean {
  return ports.length === others.length && ports.every((port, index) => port === others[index]);
}

function sortPorts(ports: ReadonlySet<number>): readonly number[] {
  return [...ports].sort((one, other) => one - other);
}
