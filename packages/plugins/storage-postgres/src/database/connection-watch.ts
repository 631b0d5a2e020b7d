import type { WatchedClient } from './watched-client.js';

/**
 * When one connection goes silent, other connections that have waited this long for a response are closed as well, in
 * ms.
 */
const SPARED_MS = 2_000;

/**
 * Set of all connections to the database. When one goes silent, the others are probably broken as well, so idle
 * connections are closed before they are used again.
 */
export class ConnectionWatch {
  readonly #clients = new Set<WatchedClient>();

  add(client: WatchedClient): void {
    this.#clients.add(client);
  }

  delete(client: WatchedClient): void {
    this.#clients.delete(client);
  }

  silent(client: WatchedClient, silenceMs: number): void {
    // A separate error for each connection, because knex adds the statement to the message of an error that it
    // rethrows.
    const error = (): Error =>
      Object.assign(
        new Error(
          `The database sent nothing for ${silenceMs / 1_000} s on an open connection, so the connection was closed.`,
        ),
        { code: 'ETIMEDOUT' },
      );
    client.giveUp(error(), 0);
    const spared = [...this.#clients].filter((other) => other !== client && !other.giveUp(error(), SPARED_MS));
    setTimeout(() => {
      for (const other of spared) if (other.isWaiting) other.giveUp(error(), SPARED_MS);
    }, SPARED_MS).unref();
  }
}
