import { once } from 'node:events';
import { connect } from 'node:net';

/** Returns the response to bytes that no HTTP client would send. The server closes the connection. */
export async function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  socket.write(text);
  await once(socket, 'close');
  return answer;
}
