import type { Queryable } from '../database/transaction.js';

/** Runs that are remembered at most; one that is forgotten only costs another time-out. */
const MAX_RUNS = 10_000;

/**
 * Runs whose row another session holds locked, and runs whose commits wait for a lock on another row, as this process found
 * when a commit timed out. A commit for such a run is not sent to the shared connection, where each try would delay everything
 * behind it.
 */
export class LockedRuns {
  readonly #known = new Set<string>();
  readonly #heldUp = new Set<string>();

  /** Those of some runs that were found locked before and still are. Asks the database only where there are any. */
  async stillLocked(database: Queryable, runIds: readonly string[]): Promise<ReadonlySet<string>> {
    const known = runIds.filter((runId) => this.#known.has(runId));
    return known.length === 0 ? new Set() : this.findLocked(database, known);
  }

  /** Those of some runs whose last commit waited for another row than that of the run. */
  heldUp(runIds: readonly string[]): ReadonlySet<string> {
    return this.#heldUp.size === 0 ? this.#heldUp : new Set(runIds.filter((runId) => this.#heldUp.has(runId)));
  }

  holdUp(runId: string): void {
    if (this.#heldUp.size < MAX_RUNS) this.#heldUp.add(runId);
  }

  /** Nothing holds up the commits of a run any more. */
  forget(runId: string): void {
    this.#heldUp.delete(runId);
  }

  /**
   * Those of some runs whose row is locked right now.
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
      if (!locked.has(runId)) this.#known.delete(runId);
      else if (this.#known.size < MAX_RUNS) this.#known.add(runId);
    }
    return locked;
  }
}
