import type { Queryable } from './transaction.js';

/** How long an observed commit counts as recent, in ms, so that the probes of several load balancers share one. */
const MAX_AGE_MS = 2_000;

/** Writes only to the WAL of the database. Its commit waits for the disk, as the commits of commands do. */
const COMMIT_QUERY = {
  name: 'commit_probe',
  text: `SELECT pg_logical_emit_message(true, 'countersign', '')`,
  values: [],
};

/** Commits on the connection for commands, and remembers a success for a short time. */
export class CommitProbe {
  #succeededAt = -Infinity;
  #inFlight: Promise<void> | undefined;

  constructor(private readonly database: { readonly commits: Queryable }) {}

  /** @throws the error of the database or the driver */
  async check(): Promise<void> {
    if (performance.now() - this.#succeededAt < MAX_AGE_MS) return;
    this.#inFlight ??= this.#commit().finally(() => (this.#inFlight = undefined));
    await this.#inFlight;
  }

  async #commit(): Promise<void> {
    await this.database.commits.query(COMMIT_QUERY);
    this.#succeededAt = performance.now();
  }
}
