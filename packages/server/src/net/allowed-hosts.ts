import { parseHostName, isIpAddress, isLoopbackName } from './host-names.js';

/**
 * The host names under which the server may be addressed. A web page whose name was bound to the server's address (DNS
 * rebinding) runs with the server's origin in a browser; only `Host` reveals it. Loopback names and addresses are
 * always accepted, because they cannot be rebound.
 */
export class AllowedHosts {
  readonly #names: ReadonlySet<string>;
  readonly #suffixes: readonly string[];
  readonly #all: boolean;

  /**
   * @param ownHost `Server:Host`
   * @param patterns `Server:AllowedHosts`: names, `.example.com` for a domain and its subdomains, or `*`
   */
  constructor(ownHost: string, patterns: readonly string[]) {
    const lowerCasePatterns = [ownHost, ...patterns].map((pattern) => pattern.toLowerCase());
    this.#all = lowerCasePatterns.includes('*');
    this.#names = new Set(lowerCasePatterns.map((pattern) => pattern.replace(/^\./, '')));
    this.#suffixes = lowerCasePatterns.filter((pattern) => pattern.startsWith('.'));
  }

  /**
   * Returns whether a host is allowed.
   *
   * @param host the value of a `Host` header, with or without a port; absent only from clients that are not browsers
   * (HTTP/1.0)
   */
  allows(host: string | undefined): boolean {
    if (this.#all || host === undefined) return true;
    // The value may contain only a name and a port, without characters that a URL parser would interpret.
    const name = /^[^\s/\\?#@]+$/.test(host) ? parseHostName(`http://${host}`)?.replace(/\.$/, '') : undefined;
    if (name === undefined) return false;
    return (
      isLoopbackName(name) ||
      isIpAddress(name) ||
      this.#names.has(name) ||
      this.#suffixes.some((suffix) => name.endsWith(suffix))
    );
  }
}
