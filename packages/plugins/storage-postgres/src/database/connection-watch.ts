import type { WatchedClient } from './watched-client.js';

/** When one connection has gone silent, others that have waited this long for an answer are given up, too, in ms. */
const SPARED_MS = 2_000;

/**
 * All connections to the database. When one of them goes silent, the others probably lead nowhere either, so those that are
 * idle are closed before they are used again.
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
    // An error for each: knex adds the statement to the message of what it throws on.
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
