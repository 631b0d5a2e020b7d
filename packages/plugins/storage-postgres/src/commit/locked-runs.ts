import type { Queryable } from '../database/transaction.js';

/** Maximum number of runs to remember; a forgotten run only costs another time-out. */
const MAX_RUNS = 10_000;

/**
 * Runs that were locked when a commit timed out: by a lock on the row of the run, or on another row that the commit
 * writes. Their commits are not sent to the shared connection, where each attempt would delay later commits.
 */
export class LockedRuns {
  readonly #knownLocked = new Set<string>();
  readonly #delayed = new Set<string>();

  /** Returns the given runs whose row was found locked before. */
  filterKnown(runIds: readonly string[]): readonly string[] {
    return runIds.filter((runId) => this.#knownLocked.has(runId));
  }

  /** Returns the given runs whose last commit waited for a row other than that of the run. */
  heldUp(runIds: readonly string[]): ReadonlySet<string> {
    return new Set(runIds.filter((runId) => this.#delayed.has(runId)));
  }

  /**
   * Remembers that a run is held up. If there are too many, the oldest one is forgotten: its command may have been
   * given up.
   */
  markDelayed(runId: string): void {
    this.#delayed.delete(runId);
    this.#delayed.add(runId);
    const [oldest] = this.#delayed;
    if (this.#delayed.size > MAX_RUNS && oldest !== undefined) this.#delayed.delete(oldest);
  }

  /** Forgets that a run was held up. */
  forget(runId: string): void {
    this.#delayed.delete(runId);
  }

  /**
   * Returns the given runs whose row is currently locked.
   *
   * @param database must not be the connection that commits share
   */
  async findLocked(database: Queryable, runIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await database.query({
      name: 'locked_runs',
      text: `WITH wanted AS MATERIALIZED (SELECT run_id FROM runs WHERE run_id = ANY($1::uuid[])),
                  free AS MATERIALIZED (SELECT run_id FROM runs WHERE run_id = ANY($1::uuid[]) FOR NO KEY UPDATE SKIP LOCKED)
             SELECT run_id FROM wanted EXCEPT SELECT run_id FROM free`,
      values: [runIds],
    });
    const locked = new Set(rows.map((row) => String(row['run_id'])));
    for (const runId of runIds) {
      if (!locked.has(runId)) this.#knownLocked.delete(runId);
      else if (this.#knownLocked.size < MAX_RUNS) this.#knownLocked.add(runId);
    }
    return locked;
  }
}
