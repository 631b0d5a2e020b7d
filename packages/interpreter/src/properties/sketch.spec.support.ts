/**
 * A random process model before it is written as BPMN: blocks in each other. Whatever a sketch says can be written, so
 * that shrinking never has to stop at a model that would be refused; what would be (an event twice at one border, a
 * cancellation outside of a transaction) is left out when it is written.
 */
export interface ModelSketch {
  readonly body: readonly BlockSketch[];
  readonly eventSubProcesses: readonly EventSubProcessSketch[];
  /** How a run can begin besides by its none start event. */
  readonly begin: BeginSketch | null;
}

/** What begins runs: a start event, a receive task, or an event-based gateway. Its tokens go on where the others do. */
export type BeginSketch =
  | { readonly kind: 'message' }
  | { readonly kind: 'multiple'; readonly triggers: readonly TriggerSketch[]; readonly parallel: boolean }
  | { readonly kind: 'receive'; readonly which: number }
  | {
      readonly kind: 'gateway';
      readonly branches: readonly RaceSketch[];
      readonly parallel: boolean;
      readonly byTask: boolean;
    };

export type BlockSketch =
  | ActivitySketch
  | {
      readonly kind: 'split';
      readonly split: SplitKind;
      readonly join: SplitKind;
      readonly branches: readonly BranchSketch[];
    }
  | { readonly kind: 'loopBack'; readonly body: readonly BlockSketch[]; readonly turns: number }
  | { readonly kind: 'race'; readonly branches: readonly RaceSketch[] }
  | { readonly kind: 'throw'; readonly what: ThrowKind; readonly code: number }
  | {
      readonly kind: 'catch';
      readonly trigger: TriggerSketch;
      readonly second: TriggerSketch | null;
      readonly parallel: boolean;
    }
  | { readonly kind: 'link' }
  | { readonly kind: 'tangle'; readonly nodes: readonly TangleNode[] }
  /** Ends its branch. */
  | { readonly kind: 'end'; readonly what: EndKind; readonly code: number };

export const SPLIT_KINDS = ['exclusive', 'parallel', 'inclusive', 'complex'] as const;
export type SplitKind = (typeof SPLIT_KINDS)[number];

export const THROW_KINDS = ['none', 'signal', 'message', 'escalation', 'compensation'] as const;
export type ThrowKind = (typeof THROW_KINDS)[number];

export const END_KINDS = [
  'none',
  'terminate',
  'error',
  'escalation',
  'signal',
  'message',
  'compensation',
  'cancel',
] as const;
export type EndKind = (typeof END_KINDS)[number];

export interface BranchSketch {
  readonly body: readonly BlockSketch[];
  /** Of the conditions in {@link CONDITIONS}. */
  readonly condition: number;
}

export interface RaceSketch {
  readonly trigger: TriggerSketch;
  readonly body: readonly BlockSketch[];
}

export const TRIGGER_KINDS = [
  'message',
  'timer',
  'signal',
  'condition',
  'error',
  'escalation',
  'compensation',
  'cancel',
] as const;
export type TriggerKind = (typeof TRIGGER_KINDS)[number];

export interface TriggerSketch {
  readonly kind: TriggerKind;
  /** Which message, code, condition or form of timer. */
  readonly which: number;
}

export interface BoundarySketch {
  readonly trigger: TriggerSketch;
  readonly interrupting: boolean;
  readonly body: readonly BlockSketch[];
  /** Whether its path goes on behind the activity; otherwise it has an end of its own. */
  readonly merges: boolean;
}

export interface EventSubProcessSketch {
  readonly trigger: TriggerSketch;
  readonly interrupting: boolean;
  readonly body: readonly BlockSketch[];
}

export const TASK_KINDS = ['service', 'user', 'script', 'manual', 'call', 'receive', 'decision', 'rule'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

export const SCOPE_KINDS = ['subProcess', 'transaction', 'adHocSubProcess'] as const;
export type ScopeKind = (typeof SCOPE_KINDS)[number];

export interface ActivitySketch {
  readonly kind: 'activity';
  readonly what: { readonly task: TaskKind; readonly form: number } | ScopeSketch;
  readonly boundaries: readonly BoundarySketch[];
  readonly loop: LoopSketch | null;
  /** What undoes it. */
  readonly handler: TaskKind | null;
  readonly mapped: boolean;
}

export interface ScopeSketch {
  readonly scope: ScopeKind;
  readonly body: readonly BlockSketch[];
  readonly eventSubProcesses: readonly EventSubProcessSketch[];
  /** Ad-hoc: one after the other; with a completion condition. */
  readonly sequential: boolean;
  readonly condition: number | null;
}

export interface LoopSketch {
  readonly kind: 'parallel' | 'sequential' | 'standard';
  readonly count: number;
  /** With a collection, an output collection, a test before the turn. */
  readonly extra: boolean;
  readonly condition: number | null;
}

/** A node of a tangle: a gateway, or a task, and the nodes that it leads to, by their place. */
export interface TangleNode {
  readonly what: SplitKind | 'service';
  /** Where the node before it in the tangle that leads to it stands. */
  readonly from: number;
  readonly to: readonly number[];
}

/** Conditions over the variables of every run. */
export const CONDITIONS = [
  'true',
  'n0 > 1',
  'n1 = n0',
  'n2 < 2',
  'n0 + n1 > 3',
  'flag',
  'false',
  'list[1] = n0',
  'n3 >= 0',
] as const;
