/**
 * Announcements to external engines. A command of a run that belongs to an external engine records, in its own
 * transaction, that the run has a new revision. A server then announces this to the engine, which reads the run and
 * starts what is open. Announcing a revision twice, or after a later one, is harmless.
 */
export interface AnnouncementStore {
  /**
   * Claims announcements that no server is making, oldest first (`SKIP LOCKED`).
   *
   * @param request `engine`: name of the engine; `leaseMs`: time until another server may claim them, in ms
   */
  claimAnnouncements(request: {
    readonly engine: string;
    readonly limit: number;
    readonly leaseMs: number;
  }): Promise<readonly Announcement[]>;
  /** Deletes announcements that the engine has accepted, unless the run has a later revision by now. */
  deleteAnnouncements(accepted: readonly Pick<Announcement, 'runId' | 'revision'>[]): Promise<void>;
  /** Counts the announcements to an engine that it has not accepted. */
  countAnnouncements(engine: string): Promise<PendingAnnouncements>;
  /**
   * Adds announcements of runs that have none, for example because the engine has lost these runs. Ignores runs of other
   * engines.
   */
  addAnnouncements(engine: string, runIds: readonly string[]): Promise<void>;
  /**
   * Lists runs of an external engine with open jobs or timers, which it must have started.
   *
   * @param request `minAgeMs`: how long a run has not changed, in ms; `after`: only runs with greater ids
   * @returns at most `limit` ids of runs, and the last run that was looked at, after which the next page begins; `null`
   *   if this is the last page
   */
  listRunsWithOpenWork(request: {
    readonly engine: string;
    readonly minAgeMs: number;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<{ readonly runIds: readonly string[]; readonly last: string | null }>;
}

export interface Announcement {
  readonly runId: string;
  readonly revision: number;
}

export interface PendingAnnouncements {
  readonly count: number;
  /** Age of the oldest one, in ms; `null` if there is none. */
  readonly oldestAgeMs: number | null;
}
