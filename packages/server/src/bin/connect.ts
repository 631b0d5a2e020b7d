import { type Client, createClient, type Role } from '@countersign/contract';
import type { ConnectionOptions } from './connection-options.js';
import { findServer, requestToken } from './token-command.js';

/** Returns a client of the running server. */
export async function connect(options: ConnectionOptions, role: Role): Promise<Client> {
  const url = options.url ?? (await findServer(options));
  const token =
    options.token ?? process.env['COUNTERSIGN_TOKEN'] ?? (await requestToken({ ...options, url, role, group: [] }));
  return createClient({ baseUrl: url, token });
}
