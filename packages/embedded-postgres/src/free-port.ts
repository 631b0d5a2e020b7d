import { once } from 'node:events';
import { createServer } from 'node:net';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { getErrorCode, getErrorMessage } from './node-error.js';

export const LOOPBACK = '127.0.0.1';

/**
 * Returns a port that is currently free. If another process takes it before PostgreSQL does, the caller must try
 * another port.
 */
export async function findFreePort(): Promise<number> {
  return probePort(0);
}

/** @throws {EmbeddedPostgresError} if the configured port is taken */
export async function assertPortFree(port: number): Promise<void> {
  try {
    await probePort(port);
  } catch (error) {
    if (getErrorCode(error) !== 'EADDRINUSE' && getErrorCode(error) !== 'EACCES') throw error;
    throw new EmbeddedPostgresError(
      'embedded_postgres_port_taken',
      `The embedded PostgreSQL cannot listen on ${LOOPBACK}:${port} (${getErrorMessage(error)}). Choose another port, or configure no port to use a free one.`,
      { cause: error },
    );
  }
}

async function probePort(port: number): Promise<number> {
  const server = createServer();
  server.listen(port, LOOPBACK);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no TCP address');
  return address.port;
}
