import { isIP } from 'node:net';

/**
 * Whether a request for a development token comes from somebody who knows this machine, and not from a web page that
 * makes a browser ask: a page elsewhere names its own `Origin`, and one whose name was bound to this machine's address
 * (DNS rebinding) names itself in `Host`. Addresses can't be rebound.
 *
 * @param ownHost `Server:Host`.
 */
export function mayAskForDevToken(
  headers: { readonly host?: string | undefined; readonly origin?: string | undefined },
  ownHost: string,
): boolean {
  const host = hostNameOf(`http://${headers.host ?? ''}`);
  if (host === undefined || !(isOwn(host) || host === ownHost.toLowerCase())) return false;
  if (headers.origin === undefined) return true;
  const origin = hostNameOf(headers.origin);
  return origin !== undefined && (origin === host || isLoopbackName(origin));
}

function hostNameOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const name = new URL(address).hostname;
  return name === '' ? undefined : name;
}

function isOwn(name: string): boolean {
  return isLoopbackName(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

function isLoopbackName(name: string): boolean {
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    (isIP(name) === 4 && name.startsWith('127.'))
  );
}
