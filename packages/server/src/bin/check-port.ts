import { once } from 'node:events';
import { createServer } from 'node:net';
import { CliError } from './cli-error.js';

/**
 * Checks whether the server can listen. Called before anything is started.
 *
 * @throws {CliError} `port_in_use`, `address_unavailable`, `port_forbidden`
 */
export async function checkPort(host: string, port: number): Promise<void> {
  const probe = createServer();
  try {
    probe.listen({ host, port, exclusive: true });
    await once(probe, 'listening');
  } catch (error) {
    throw explainListenError(error, host, port);
  } finally {
    if (probe.listening) {
      probe.close();
      await once(probe, 'close');
    }
  }
}

/** Converts an error of `listen()` to a readable one; returns other errors unchanged. */
export function explainListenError(cause: unknown, host: string, port: number): unknown {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new CliError(
        'port_in_use',
        `Port ${port} on ${host} is in use by another program.`,
        `Stop that program, or choose another port: npm start -- --port ${port === 65_535 ? port - 1 : port + 1} (or countersign start --port …; 0 picks a free one).`,
        { cause },
      );
    case 'EACCES':
      return new CliError(
        'port_forbidden',
        `This user may not listen on port ${port} of ${host}.`,
        'Choose a port above 1023 with --port, or give Node.js the permission to listen on this port.',
        { cause },
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new CliError(
        'address_unavailable',
        `Cannot listen on ${host}: this machine has no such address.`,
        'Choose another address with --host, for example 127.0.0.1 or 0.0.0.0.',
        { cause },
      );
    default:
      return cause;
  }
}
