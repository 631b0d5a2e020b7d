import { readNetworkHost } from '@countersign/model';

const PATTERN_SYNTAX = /^(?:(\*)|(\*\.)?([^\s*:/?#@%^<>|\\[\]]+|\[[0-9a-f:.]+\]))(?::(\*|\d{1,5}))?$/i;

interface HostPattern {
  /** Host name; `.example.org` for all its subdomains; `undefined` for any host. */
  readonly name: string | undefined;
  /** `undefined`: the default port of the protocol. */
  readonly port: '*' | number | undefined;
}

/** Returns whether text is a host pattern, such as `api.example.org`, `*.example.org:8443` or `*`. */
export function isHostPattern(text: string): boolean {
  return readPattern(text) !== undefined;
}

/**
 * Returns whether the host and port of a URL match any pattern. A pattern without a port means the default port of the
 * protocol.
 */
export function matchesHostPattern(url: URL, patterns: readonly string[]): boolean {
  const host = readNetworkHost(url.hostname)?.name;
  return host !== undefined && patterns.some((text) => matchesPattern(url, host, readPattern(text)));
}

/**
 * Returns whether a URL leads to one of the hosts, which are not patterns. A host without a port means the default port
 * of the protocol.
 */
export function matchesHost(url: URL, hosts: readonly string[]): boolean {
  const name = readNetworkHost(url.hostname)?.name;
  return hosts.some((text) => {
    const host = readNetworkHost(text);
    return host !== undefined && matchesPattern(url, name ?? '', host);
  });
}

function matchesPattern({ protocol, port }: URL, host: string, pattern: HostPattern | undefined): boolean {
  if (pattern === undefined) return false;
  // `URL` omits the default port of the protocol.
  const defaultPort = protocol === 'https:' ? 443 : 80;
  if (pattern.port !== '*' && (pattern.port ?? defaultPort) !== (port === '' ? defaultPort : Number(port)))
    return false;
  if (pattern.name === undefined) return true;
  return pattern.name.startsWith('.') ? host.endsWith(pattern.name) : host === pattern.name;
}

function readPattern(text: string): HostPattern | undefined {
  const [, anyHost, subdomains, host, ports] = PATTERN_SYNTAX.exec(text) ?? [];
  const port = ports === undefined || ports === '*' ? ports : Number(ports);
  if (anyHost !== undefined) return { name: undefined, port };
  const name = host === undefined ? undefined : readNetworkHost(host)?.name;
  return name === undefined ? undefined : { name: subdomains === undefined ? name : `.${name}`, port };
}
