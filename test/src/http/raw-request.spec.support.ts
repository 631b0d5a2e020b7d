import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends a request that no HTTP client would send. Returns the response once the server has closed the connection. */
export async function sendRaw(url: string, rawRequest: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  let response = '';
  socket.on('data', (chunk) => (response += String(chunk)));
  socket.write(rawRequest);
  await once(socket, 'close');
  return response;
}
