import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

export interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** The only ones that are connected to. */
  readonly addresses: readonly LookupAddress[];
  readonly signal: AbortSignal;
  /** Told as soon as there is a connection, in front of the first byte. */
  onConnect(): void;
}

const MAX_HEADER_BYTES = 32_768;

/** One request and the head of its answer, on a connection of its own. */
export function exchange({
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
    // A connection that is kept would still lead to an address that was checked for another call.
    agent: false,
    lookup: only(addresses),
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
  };
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
    request.on('socket', (socket) => socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', onConnect));
    request.on('response', resolve);
    request.on('error', reject);
    // An answer that is none, such as one that changes the protocol.
    request.on('close', () => reject(Object.assign(new Error('There was no answer.'), { code: 'ECONNRESET' })));
    request.end(body);
  });
}

function only(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else if (first === undefined) callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 4);
    else callback(null, first.address, first.family);
  };
}
