import type { AuditEntry } from '@countersign/model';

/**
 * Age of its last record, in ms by the clock of the database, up to which a server counts as running. Servers record
 * themselves every three seconds.
 */
export const MAX_SERVER_AGE_MS = 10_000;

/**
 * The servers of the installation by engine, and the engines to which workflows were moved. A new run belongs to the
 * engine to which its workflow was moved; a run never changes its engine.
 */
export interface EngineRegister {
  /** Records that a server is running now. */
  recordServer(server: { readonly serverId: string; readonly engine: string }): Promise<void>;
  /** Removes a server that stops. */
  removeServer(serverId: string): Promise<void>;
  /**
   * Counts the servers by engine, sorted by its name.
   *
   * @param maxAgeMs servers that were recorded longer ago do not count, in ms by the clock of the database
   */
  countServers(maxAgeMs: number): Promise<readonly EngineCount[]>;
  /** Returns the engine to which a workflow was moved; `null` if it was not. */
  findEngineOfWorkflow(workflowId: string): Promise<string | null>;
  /**
   * Moves a workflow to an engine. A start that was evaluated earlier and is committed later is evaluated again
   * (`RunWrite.engineOfWorkflow`).
   *
   * @param move `engine`: `null` undoes the move; `audit`: recorded if this changes anything, with the previous engine as
   *   `from`
   * @returns the previous engine; `null` if the workflow was not moved
   */
  moveWorkflow(move: {
    readonly workflowId: string;
    readonly engine: string | null;
    readonly audit: AuditEntry;
  }): Promise<string | null>;
  /** Returns the engine of a run; `undefined` if there is no such run. */
  findEngineOfRun(runId: string): Promise<string | undefined>;
  /** Counts the runs of a workflow that have not ended, by engine, sorted by its name. */
  countActiveRuns(workflowId: string): Promise<readonly EngineCount[]>;
  /** Lists the engines of runs that have not ended, sorted by name. */
  listEnginesOfActiveRuns(): Promise<readonly string[]>;
}

/** The number of servers or runs that belong to an engine. */
export interface EngineCount {
  readonly engine: string;
  readonly count: number;
}
