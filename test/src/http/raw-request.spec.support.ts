import { once } from 'node:events';
import { connect } from 'node:net';

/** What comes back for bytes that no HTTP client would send. The other end closes the connection. */
export async function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  socket.write(text);
  await once(socket, 'close');
  return answer;
}
