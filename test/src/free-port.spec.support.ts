import { once } from 'node:events';
import { createServer } from 'node:net';

/** Range below the ports that systems assign to outgoing connections (from 32768 on Linux, from 49152 elsewhere). */
const [MIN_PORT, MAX_PORT] = [20_000, 32_000];
/** Distance between the ports at which processes start their search. */
const PORTS_PER_PROCESS = 100;

let nextPort = MIN_PORT + ((process.pid * PORTS_PER_PROCESS) % (MAX_PORT - MIN_PORT));

/**
 * Returns a free port for a server that needs a fixed port or is restarted on it. No process listens on it, no outgoing
 * connection uses it, and no other caller in this process gets it.
 */
export async function findFreePort(): Promise<number> {
  for (let attempted = MIN_PORT; attempted < MAX_PORT; attempted += 1) {
    const port = nextPort;
    nextPort = nextPort + 1 < MAX_PORT ? nextPort + 1 : MIN_PORT;
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${MIN_PORT} to ${MAX_PORT} is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  await new Promise((resolve) => server.close(resolve));
  return true;
}
