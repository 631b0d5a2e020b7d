import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems assign to outgoing connections (from 32768 on Linux, from 49152 elsewhere). */
const [FIRST, LAST] = [20_000, 32_000];
/** Processes start their search at different ports, this far apart. */
const APART = 100;

let next = FIRST + ((process.pid * APART) % (LAST - FIRST));

/**
 * Returns a free port for a server that needs a fixed port or is restarted on it. No process listens on it, no outgoing
 * connection uses it, and no other caller in this process gets it.
 */
export async function freePort(): Promise<number> {
  for (let tried = FIRST; tried < LAST; tried += 1) {
    const port = next;
    next = next + 1 < LAST ? next + 1 : FIRST;
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${FIRST} to ${LAST} is free`);
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
