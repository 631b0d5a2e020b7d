import type { Queryable } from './transaction.js';

/**
 * Maximum age of a successful commit that is reused, in ms, so that the probes of several load balancers share one
 * commit.
 */
const MAX_AGE_MS = 2_000;

/**
 * Statement that writes only to the WAL of the database. Its commit waits for the disk, as the commits of commands do.
 */
const COMMIT_QUERY = {
  name: 'commit_probe',
  text: `SELECT pg_logical_emit_message(true, 'countersign', '')`,
  values: [],
};

/** Probe that commits on the connection for commits and remembers a success for a short time. */
export class CommitProbe {
  #succeededAt = -Infinity;
  #inFlight: Promise<void> | undefined;

  constructor(private readonly database: { readonly commits: Queryable }) {}

  /** @throws {Error} from the database or the driver if the commit fails */
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
