/** Selects runs of a workflow. Times are in milliseconds since the epoch. */
export interface StatisticsFilter {
  readonly workflowId: string;
  readonly version?: number;
  readonly startedAfter?: number;
  readonly startedBefore?: number;
}

/** Limits on the cost of a query. */
export interface StatisticsLimits {
  readonly runs: number;
  readonly events: number;
}

/** Statistics of the newest runs of a workflow, as many as the limits allow. */
export interface StatisticsRecord {
  readonly runs: RunCounts;
  /** Counts of each element, in the order of the element ids. */
  readonly elements: readonly ElementCounts[];
  /** Whether all selected runs were counted. */
  readonly complete: boolean;
  /** Milliseconds since the epoch; `null` if there was no run. */
  readonly oldestStartedAt: number | null;
}

/** Counts by outcome, or by status for runs without an outcome. */
export type RunCounts = Readonly<
  Record<'total' | 'active' | 'blocked' | 'completed' | 'failed' | 'cancelled' | 'rejected', number>
>;

/** Numbers of steps of an element by their current status. */
export interface ElementCounts {
  readonly elementId: string;
  readonly entered: number;
  readonly active: number;
  readonly waiting: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Durations of completed steps, in ms; `null` if there are none. */
  readonly durationMs: Readonly<Record<'median' | 'p95' | 'max', number | null>>;
  /** `null` if the element never requested an approval. */
  readonly approvals: ApprovalCounts | null;
}

export type ApprovalCounts = Readonly<
  Record<'requested' | 'approved' | 'rejected' | 'changesRequested' | 'withdrawn' | 'expired', number>
>;

export interface StatisticsStore {
  /**
   * Computes statistics of the newest runs. The limits bound its cost, however many runs there are.
   *
   * @returns `undefined` if it took longer than `timeoutMs`
   */
  computeWorkflowStatistics(
    filter: StatisticsFilter,
    limits: StatisticsLimits,
    timeoutMs: number,
  ): Promise<StatisticsRecord | undefined>;
}
