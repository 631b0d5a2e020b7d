/** Runs of a workflow to count. Times in milliseconds since the epoch. */
export interface StatisticsFilter {
  readonly workflowId: string;
  readonly version?: number;
  readonly startedAfter?: number;
  readonly startedBefore?: number;
}

/** What an answer may cost at most. */
export interface StatisticsLimits {
  readonly runs: number;
  readonly events: number;
}

/** What the newest runs of a workflow did, as many as fit within the limits. */
export interface StatisticsRecord {
  readonly runs: RunCounts;
  /** By element id. */
  readonly elements: readonly ElementCounts[];
  /** Whether all runs that fit were counted. */
  readonly complete: boolean;
  /** Milliseconds since the epoch; `null` where there was no run. */
  readonly oldestStartedAt: number | null;
}

/** By outcome, or by status where a run has none. */
export type RunCounts = Readonly<
  Record<'total' | 'active' | 'blocked' | 'completed' | 'failed' | 'cancelled' | 'rejected', number>
>;

/** Steps of an element by what they are now. */
export interface ElementCounts {
  readonly elementId: string;
  readonly entered: number;
  readonly active: number;
  readonly waiting: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Of completed steps, in ms; `null` where there are none. */
  readonly durationMs: Readonly<Record<'median' | 'p95' | 'max', number | null>>;
  /** `null` where the element never asked for one. */
  readonly approvals: ApprovalCounts | null;
}

export type ApprovalCounts = Readonly<
  Record<'requested' | 'approved' | 'rejected' | 'changesRequested' | 'withdrawn' | 'expired', number>
>;

export interface StatisticsStore {
  /**
   * Counts what the newest runs did. What it looks at is bounded by the limits, however many runs there are.
   *
   * @returns `undefined` where even that took longer than `timeoutMs`
   */
  workflowStatistics(
    filter: StatisticsFilter,
    limits: StatisticsLimits,
    timeoutMs: number,
  ): Promise<StatisticsRecord | undefined>;
}
