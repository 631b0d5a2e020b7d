import type { TimerCycle } from '@countersign/model';

/** What starts runs of the newest version of each workflow, besides people. */
export interface StartEventStore {
  /** Start events of newest versions that a message or a signal of this name triggers, by workflow id. */
  findStartSubscriptions(kind: StartSubscription['kind'], name: string): Promise<readonly StartSubscriptionRecord[]>;
  /**
   * Conditions at start events of newest versions, by workflow id.
   *
   * @param workflowId those of one workflow only
   */
  findStartConditions(limit: number, workflowId?: string): Promise<readonly StartConditionRecord[]>;
  /** Start timers that are due, earliest first. */
  dueStartTimers(now: number, limit: number): Promise<readonly StartTimerRecord[]>;
  /**
   * When the next one is due (ms since the epoch), or `null`.
   *
   * @param after only timers due after this time (ms since the epoch)
   */
  nextStartTimerAt(after?: number): Promise<number | null>;
  /**
   * Sets a start timer to its next time, or ends it, if it still is as it was when it was read. Without a run: one that
   * starts a run is moved on with that (see `Delivery`).
   */
  advanceStartTimer(timer: StartTimerRecord, next: NextStartTime | null): Promise<void>;
}

/** The start events with triggers of one version. They replace those of the version before. */
export interface StartEvents {
  /** At most one for each kind and name. */
  readonly subscriptions: readonly StartSubscription[];
  readonly conditions: readonly StartCondition[];
  readonly timers: readonly StartTimer[];
}

export interface StartSubscription {
  readonly kind: 'message' | 'signal';
  readonly name: string;
  readonly elementId: string;
  /** Which of the event's triggers it is. */
  readonly trigger: number;
}

export interface StartSubscriptionRecord extends StartSubscription {
  readonly workflowId: string;
  readonly version: number;
}

/** A condition that is looked at when somebody asks for it, over the variables that come with the request. */
export interface StartCondition {
  readonly elementId: string;
  /** Which of the event's triggers it is. */
  readonly trigger: number;
}

export interface StartConditionRecord extends StartCondition {
  readonly workflowId: string;
  readonly version: number;
}

export interface StartTimer {
  readonly elementId: string;
  /** Which of the event's triggers it is. */
  readonly trigger: number;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
  readonly cycle: TimerCycle | null;
}

export interface StartTimerRecord extends StartTimer {
  readonly workflowId: string;
  readonly version: number;
  /** Whether it is a date at which the start event has started a run already, of a version before. */
  readonly fired: boolean;
}

/** When a start timer is due next. */
export type NextStartTime = Pick<StartTimer, 'dueAt' | 'cycle'>;
