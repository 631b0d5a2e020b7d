import type { TimerCycle } from '@countersign/model';

/** Stores the start events of the newest version of each workflow, except those that a person triggers. */
export interface StartEventStore {
  /** Returns the start events of newest versions that a message or signal with this name triggers, by workflow id. */
  findStartSubscriptions(kind: StartSubscription['kind'], name: string): Promise<readonly StartSubscriptionRecord[]>;
  /**
   * Returns the conditional start events of newest versions, by workflow id.
   *
   * @param workflowId restricts the result to one workflow
   */
  findStartConditions(limit: number, workflowId?: string): Promise<readonly StartConditionRecord[]>;
  /** Returns the start timers that are due, earliest first. */
  listDueStartTimers(now: number, limit: number): Promise<readonly StartTimerRecord[]>;
  /**
   * Returns when the next start timer is due (ms since the epoch); `null` if there is none.
   *
   * @param after only timers due after this time (ms since the epoch)
   */
  nextStartTimerAt(after?: number): Promise<number | null>;
  /**
   * Sets a start timer to its next time or ends it, if it has not changed since it was read. Use it only if no run is
   * started; a commit that starts a run advances its timer itself (see `CommandCause`).
   */
  advanceStartTimer(timer: StartTimerRecord, next: NextStartTime | null): Promise<void>;
}

/** The start events of one version that have triggers. They replace those of the previous version. */
export interface StartEvents {
  /** At most one per kind and name. */
  readonly subscriptions: readonly StartSubscription[];
  readonly conditions: readonly StartCondition[];
  readonly timers: readonly StartTimer[];
}

export interface StartSubscription {
  readonly kind: 'message' | 'signal';
  readonly name: string;
  readonly elementId: string;
  /** Position of the trigger within the event. */
  readonly trigger: number;
}

export interface StartSubscriptionRecord extends StartSubscription {
  readonly workflowId: string;
  readonly version: number;
}

/** A condition that is evaluated on request, over the variables of the request. */
export interface StartCondition {
  readonly elementId: string;
  /** Position of the trigger within the event. */
  readonly trigger: number;
}

export interface StartConditionRecord extends StartCondition {
  readonly workflowId: string;
  readonly version: number;
}

export interface StartTimer {
  readonly elementId: string;
  /** Position of the trigger within the event. */
  readonly trigger: number;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
  readonly cycle: TimerCycle | null;
}

export interface StartTimerRecord extends StartTimer {
  readonly workflowId: string;
  readonly version: number;
  /** Whether the start event, in an earlier version, has already started a run for this date. */
  readonly fired: boolean;
}

/** The next due time of a start timer. */
export type NextStartTime = Pick<StartTimer, 'dueAt' | 'cycle'>;
