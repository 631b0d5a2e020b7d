const PATTERN = /^(\*|(?:\*\.)?[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::(\*|\d{1,5}))?$/;

/** Whether a text is a pattern of hosts, such as `api.example.org`, `*.example.org:8443` or `*`. */
export function isHostPattern(text: string): boolean {
  return PATTERN.test(text.toLowerCase());
}

/** Whether the host and port of a URL fit any of the patterns. Without a port, a pattern means the one of the protocol. */
export function fitsHost(url: URL, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => fits(url, pattern));
}

function fits({ protocol, hostname, port }: URL, pattern: string): boolean {
  const [, host, ports = ''] = PATTERN.exec(pattern.toLowerCase()) ?? [];
  if (host === undefined) return false;
  // A URL leaves the port out where it is the one of the protocol.
  const usual = protocol === 'https:' ? '443' : '80';
  if (ports !== '*' && (ports === '' ? usual : ports) !== (port === '' ? usual : port)) return false;
  if (host === '*') return true;
  return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === canonical(host);
}

/** As a URL writes it: `[0:0::1]` is `[::1]`. */
function canonical(host: string): string {
  return URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : host;
}
