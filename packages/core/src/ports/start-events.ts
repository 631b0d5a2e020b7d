import type { TimerCycle } from '../domain/run-state.js';

/** What starts runs of the newest version of each workflow, besides people. */
export interface StartEventStore {
  /** Start events of newest versions that a message or a signal of this name triggers, by workflow id. */
  findStartSubscriptions(kind: StartSubscription['kind'], name: string): Promise<readonly StartSubscriptionRecord[]>;
  /** Start timers that are due, earliest first. */
  dueStartTimers(now: number, limit: number): Promise<readonly StartTimerRecord[]>;
  /** When the next one is due (ms since the epoch), or `null`. */
  nextStartTimerAt(): Promise<number | null>;
  /** Sets a start timer to its next time, or takes it away, if it still is as it was when it was read. */
  advanceStartTimer(fired: StartTimerRecord, next: Pick<StartTimer, 'dueAt' | 'cycle'> | null): Promise<void>;
}

/** The start events with triggers of one version. They replace those of the version before. */
export interface StartEvents {
  /** At most one for each kind and name. */
  readonly subscriptions: readonly StartSubscription[];
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
}
