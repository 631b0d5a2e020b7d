import type { WatchedClient } from './watched-client.js';

/** Connections that wait for a response and received data within this time, in ms, are not closed with the others. */
const RECENT_ACTIVITY_MS = 2_000;

/**
 * Watches all connections to the database. If one is unresponsive, the others are probably broken as well, so idle
 * connections are closed before they are used again, and connections that wait for a response without recent activity
 * are closed, too.
 */
export class ConnectionWatch {
  readonly #clients = new Set<WatchedClient>();

  add(client: WatchedClient): void {
    this.#clients.add(client);
  }

  delete(client: WatchedClient): void {
    this.#clients.delete(client);
  }

  onSilence(client: WatchedClient, silenceMs: number): void {
    // A separate error for each connection, because knex adds the statement to the message of an error that it
    // rethrows.
    const buildError = (): Error =>
      Object.assign(
        new Error(
          `The database sent nothing for ${silenceMs / 1_000} s on an open connection, so the connection was closed.`,
        ),
        { code: 'ETIMEDOUT' },
      );
    client.destroyUnlessActive(buildError(), 0);
    const recentlyActive = [...this.#clients].filter(
      (other) => other !== client && !other.destroyUnlessActive(buildError(), RECENT_ACTIVITY_MS),
    );
    setTimeout(() => {
      for (const other of recentlyActive)
        if (other.isWaiting) other.destroyUnlessActive(buildError(), RECENT_ACTIVITY_MS);
    }, RECENT_ACTIVITY_MS).unref();
  }
}
