/**
 * A random process model before it is written as BPMN: nested blocks. Every sketch can be written, so that shrinking
 * never stops at a model that would be refused. Invalid parts (an event twice at one boundary, a cancellation outside
 * a transaction) are omitted when the sketch is written.
 */
export interface ModelSketch {
  readonly body: readonly BlockSketch[];
  readonly eventSubProcesses: readonly EventSubProcessSketch[];
  /** A further way to start a run, in addition to the none start event. */
  readonly begin: StartSketch | null;
}

/** A start event, receive task or event-based gateway that starts runs. Its tokens continue on the common path. */
export type StartSketch =
  | { readonly kind: 'message' }
  | { readonly kind: 'multiple'; readonly triggers: readonly TriggerSketch[]; readonly parallel: boolean }
  | { readonly kind: 'receive'; readonly which: number }
  | {
      readonly kind: 'gateway';
      readonly branches: readonly EventBranchSketch[];
      readonly parallel: boolean;
      /** Whether receive tasks follow the gateway instead of catch events. */
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
  | { readonly kind: 'race'; readonly branches: readonly EventBranchSketch[] }
  | { readonly kind: 'throw'; readonly variant: ThrowKind; readonly code: number }
  | {
      readonly kind: 'catch';
      readonly trigger: TriggerSketch;
      readonly second: TriggerSketch | null;
      readonly parallel: boolean;
    }
  | { readonly kind: 'link' }
  | { readonly kind: 'tangle'; readonly nodes: readonly TangleNode[] }
  /** Ends its branch. */
  | { readonly kind: 'end'; readonly variant: EndKind; readonly code: number };

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
  /** Index of a condition in {@link CONDITIONS}. */
  readonly condition: number;
}

export interface EventBranchSketch {
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
  /** Selects a message, code, condition or form of timer. */
  readonly which: number;
}

export interface BoundarySketch {
  readonly trigger: TriggerSketch;
  readonly interrupting: boolean;
  readonly body: readonly BlockSketch[];
  /**
   * Whether the path of the boundary event merges with the path after the activity; otherwise it has a separate end.
   */
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
  readonly variant: { readonly task: TaskKind; readonly form: number } | ScopeSketch;
  readonly boundaries: readonly BoundarySketch[];
  readonly loop: LoopSketch | null;
  /** The compensation handler. */
  readonly handler: TaskKind | null;
  /** Whether the activity has an input and an output mapping. */
  readonly mapped: boolean;
}

export interface ScopeSketch {
  readonly scope: ScopeKind;
  readonly body: readonly BlockSketch[];
  readonly eventSubProcesses: readonly EventSubProcessSketch[];
  /** Whether the order is sequential, if the scope is an ad-hoc sub-process. */
  readonly sequential: boolean;
  /** Completion condition of an ad-hoc sub-process. */
  readonly condition: number | null;
}

export interface LoopSketch {
  readonly kind: 'parallel' | 'sequential' | 'standard';
  readonly count: number;
  /**
   * Whether a multi-instance loop has an input and an output collection, or a standard loop tests its condition before
   * each iteration.
   */
  readonly extra: boolean;
  readonly condition: number | null;
}

/** A node of a tangle: a gateway or a task, and the positions of the nodes that it leads to. */
export interface TangleNode {
  readonly variant: SplitKind | 'service';
  /** Position of an earlier node in the tangle that leads to this node. */
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
