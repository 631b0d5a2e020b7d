import type { Expression, Value } from './workflow-graph.js';

/** What makes a catching event happen (BPMN 2.0, table 10.93). Links are no triggers: they are compiled to jumps. */
export type Trigger =
  | MessageTrigger
  | TimerTrigger
  | SignalTrigger
  | ErrorTrigger
  | EscalationTrigger
  | ConditionTrigger
  | { readonly kind: 'compensation' }
  | { readonly kind: 'cancel' };

export interface MessageTrigger {
  readonly kind: 'message';
  readonly messageName: Value;
  /** `null` only where the event starts a run, which needs no key. */
  readonly correlationKey: Value | null;
}

export interface TimerTrigger {
  readonly kind: 'timer';
  /** `cycle`: an ISO 8601 repeating interval (`R3/PT1H`) or a cron expression. */
  readonly timer: 'date' | 'duration' | 'cycle';
  readonly value: Value;
}

export interface SignalTrigger {
  readonly kind: 'signal';
  readonly signalName: Value;
}

export interface ErrorTrigger {
  readonly kind: 'error';
  /** `null`: any error. */
  readonly code: Value | null;
}

export interface EscalationTrigger {
  readonly kind: 'escalation';
  /** `null`: any escalation. */
  readonly code: Value | null;
}

/** Becomes true of variables (BPMN 2.0, 10.5.5, conditional). */
export interface ConditionTrigger {
  readonly kind: 'condition';
  readonly condition: Expression;
}

/** What a throwing event does. A message thrown with a `zeebe:taskDefinition` is a job, and no throw. */
export type Throw =
  | { readonly kind: 'terminate' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'error'; readonly code: Value }
  | { readonly kind: 'escalation'; readonly code: Value }
  | { readonly kind: 'signal'; readonly signalName: Value }
  | { readonly kind: 'message'; readonly messageName: Value; readonly correlationKey: Value | null }
  | CompensationThrow;

export interface CompensationThrow {
  readonly kind: 'compensation';
  /** The activity that is compensated; `null`: all that were completed in the scope. */
  readonly activityRef: string | null;
  readonly waitForCompletion: boolean;
}

/** How often an activity is done (BPMN 2.0, 10.3.8). */
export type Loop = MultiInstanceLoop | StandardLoop;

export interface MultiInstanceLoop {
  readonly kind: 'multiInstance';
  readonly sequential: boolean;
  /** Gives the list of items; `null` where `cardinality` says how many. */
  readonly inputCollection: Expression | null;
  readonly inputElement: string | null;
  readonly outputCollection: string | null;
  readonly outputElement: Expression | null;
  /** `loopCardinality`, where there is no collection. */
  readonly cardinality: Value | null;
  readonly completionCondition: Expression | null;
}

export interface StandardLoop {
  readonly kind: 'standard';
  /** Whether the condition is looked at before each turn rather than behind it. */
  readonly testBefore: boolean;
  /** The activity is done again while it holds; `null`: until `maximum`. */
  readonly condition: Expression | null;
  readonly maximum: Value | null;
}
