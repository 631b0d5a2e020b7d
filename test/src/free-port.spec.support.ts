import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to outgoing connections (32768 and up with Linux, 49152 elsewhere), which would take them meanwhile. */
const [FIRST, LAST] = [20_000, 32_000];
/** Processes begin at different places, and take these so many apart. */
const APART = 100;

let next = FIRST + ((process.pid * APART) % (LAST - FIRST));

/**
 * A port of this machine for a server that must be told one, or that is started again on it: nobody listens on it, no
 * connection goes out from it, and no other caller in this process gets it.
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
