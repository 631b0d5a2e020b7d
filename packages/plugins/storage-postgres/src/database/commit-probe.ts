import type { Queryable } from './transaction.js';

/** How long a commit that was seen counts, in ms, so that the probes of several balancers share one. */
const FRESH_MS = 2_000;

/** Writes to the log of the database only. Its commit waits for the disk as the commits of commands do. */
const COMMIT = { name: 'commit_probe', text: `SELECT pg_logical_emit_message(true, 'countersign', '')`, values: [] };

/** Commits something on the connection of commands, and remembers for a moment that it worked. */
export class CommitProbe {
  #seenAt = -Infinity;
  #underWay: Promise<void> | undefined;

  constructor(private readonly database: { readonly commits: Queryable }) {}

  /** @throws what the database or the driver does */
  async check(): Promise<void> {
    if (performance.now() - this.#seenAt < FRESH_MS) return;
    this.#underWay ??= this.#commit().finally(() => (this.#underWay = undefined));
    await this.#underWay;
  }

  async #commit(): Promise<void> {
    await this.database.commits.query(COMMIT);
    this.#seenAt = performance.now();
  }
}
