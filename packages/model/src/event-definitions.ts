import type { Expression, Value } from './workflow-graph.js';

/** Trigger of a catching event (BPMN 2.0, table 10.93). Links are not triggers: they are compiled to jumps. */
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
  /** `null` only if the event starts a run, which needs no key. */
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

/** A condition on variables. The event fires when the condition becomes true (BPMN 2.0, 10.5.5, conditional). */
export interface ConditionTrigger {
  readonly kind: 'condition';
  readonly condition: Expression;
}

/** Effect of a throwing event. A message thrown with a `zeebe:taskDefinition` is a job instead. */
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
  /** The activity to compensate; `null`: all activities completed in the scope. */
  readonly activityRef: string | null;
  readonly waitForCompletion: boolean;
}

/** The loop characteristics of an activity (BPMN 2.0, 10.3.8). */
export type Loop = MultiInstanceLoop | StandardLoop;

export interface MultiInstanceLoop {
  readonly kind: 'multiInstance';
  readonly sequential: boolean;
  /** Expression for the list of items; `null` if `cardinality` specifies their number. */
  readonly inputCollection: Expression | null;
  readonly inputElement: string | null;
  readonly outputCollection: string | null;
  readonly outputElement: Expression | null;
  /** `loopCardinality`, if there is no collection. */
  readonly cardinality: Value | null;
  readonly completionCondition: Expression | null;
}

export interface StandardLoop {
  readonly kind: 'standard';
  /** Whether the condition is checked before each loop instance instead of after it. */
  readonly testBefore: boolean;
  /** The activity repeats while the condition is true; `null`: until `maximum`. */
  readonly condition: Expression | null;
  readonly maximum: Value | null;
}
