import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const CALLBACK_PATH = '/callback';

const CALLBACK_PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Countersign</title><p>You can close this page and continue in Countersign.</p></html>';

export interface LoopbackListener {
  readonly redirectUri: string;
  /**
   * Resolves with the address to which the browser returned. Rejects with an `Error` when the signal aborts.
   */
  readonly callback: Promise<URL>;
  close(): void;
}

/**
 * Listens on a free port of this machine for the browser's return after a sign-in (RFC 8252, 7.3). Other local programs
 * cannot receive the code here, and a code that they send is useless: a code is valid only with the state and the
 * verifier of this sign-in (RFC 7636).
 */
export async function listenOnLoopback(signal: AbortSignal): Promise<LoopbackListener> {
  let resolveCallback: (url: URL) => void = () => undefined;
  let rejectCallback: (error: Error) => void = () => undefined;
  const callback = new Promise<URL>((resolve, reject) => {
    resolveCallback = resolve;
    rejectCallback = reject;
  });
  callback.catch(() => undefined);
  const server = createServer({ maxHeaderSize: 16_384, requestTimeout: 10_000 }, (request, response) => {
    const url = parseCallbackUrl(request, redirectUri);
    if (url === undefined) return respond(response, 404, 'Not found.');
    respond(response, 200, CALLBACK_PAGE);
    resolveCallback(url);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}${CALLBACK_PATH}`;
  const close = (): void => {
    signal.removeEventListener('abort', abort);
    server.close();
  };
  const abort = (): void => {
    rejectCallback(new Error('The sign-in was cancelled.'));
    close();
  };
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return { redirectUri, callback, close };
}

/**
 * Returns the requested address if it is an issuer's response. A page that reaches this port under another host name is
 * refused.
 */
function parseCallbackUrl({ method, url = '', headers }: IncomingMessage, redirectUri: string): URL | undefined {
  const expected = new URL(redirectUri);
  if (method !== 'GET' || headers.host !== expected.host || !url.startsWith(`${CALLBACK_PATH}?`)) return undefined;
  const requestedUrl = new URL(url, redirectUri);
  return requestedUrl.pathname === CALLBACK_PATH && requestedUrl.searchParams.has('state') ? requestedUrl : undefined;
}

function respond(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'connection': 'close',
  });
  response.end(body);
}
