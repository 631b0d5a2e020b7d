import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

export interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** The only addresses to connect to. */
  readonly addresses: readonly LookupAddress[];
  readonly signal: AbortSignal;
  /** Called when the connection is established, before the first byte is sent. */
  onConnect(): void;
}

const MAX_HEADER_BYTES = 32_768;

/** Sends one request on its own connection and returns the response, of which only the head has been read. */
export function sendExchange({
  method,
  url,
  headers,
  body,
  addresses,
  signal,
  onConnect,
}: Exchange): Promise<IncomingMessage> {
  const options: RequestOptions = {
    method,
    headers: body === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    // A reused connection could lead to an address that was checked for another call.
    agent: false,
    lookup: createFixedLookup(addresses),
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
  };
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
    request.on('socket', (socket) => socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', onConnect));
    request.on('response', resolve);
    request.on('error', reject);
    // The connection closes without a response, for example, if the server switches protocols.
    request.on('close', () => reject(Object.assign(new Error('There was no response.'), { code: 'ECONNRESET' })));
    request.end(body);
  });
}

function createFixedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else if (first === undefined) callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 4);
    else callback(null, first.address, first.family);
  };
}
