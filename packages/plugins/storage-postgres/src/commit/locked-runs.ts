import type { Queryable } from '../database/transaction.js';

/** Maximum number of runs to remember. If a run is forgotten, its next commit may time out again. */
const MAX_RUNS = 10_000;

/**
 * Runs whose commit timed out because of a lock, either on the row of the run or on another row that the commit writes.
 * Their commits are not sent to the shared connection, where each attempt would delay later commits.
 */
export class LockedRuns {
  readonly #knownLocked = new Set<string>();
  readonly #delayed = new Set<string>();

  /** Returns the given runs whose row was found locked before. */
  filterKnownLocked(runIds: readonly string[]): readonly string[] {
    return runIds.filter((runId) => this.#knownLocked.has(runId));
  }

  /** Returns the given runs whose last separate commit timed out because of a lock. */
  filterDelayed(runIds: readonly string[]): ReadonlySet<string> {
    return new Set(runIds.filter((runId) => this.#delayed.has(runId)));
  }

  /**
   * Remembers that a lock delayed the commit of a run. If there are too many such runs, the oldest is forgotten,
   * because its command may have been abandoned.
   */
  markDelayed(runId: string): void {
    this.#delayed.delete(runId);
    this.#delayed.add(runId);
    const [oldest] = this.#delayed;
    if (this.#delayed.size > MAX_RUNS && oldest !== undefined) this.#delayed.delete(oldest);
  }

  /** Forgets that the commit of a run was delayed. */
  clearDelayed(runId: string): void {
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
