import type { FlowNode, WorkflowGraph } from '@countersign/model';
import type { Severity } from './finding.js';
import type { ScopeTokens } from './scope-tokens.js';

/** One process or sub-process, seen by itself: tokens of one scope never stand in another one (BPMN 2.0, 13.2). */
export interface LintScope {
  readonly id: string;
  /** Its own flow nodes, in document order, without those of scopes inside of it. */
  readonly nodes: ReadonlyMap<string, FlowNode>;
  /** Ids of the nodes at which its tokens begin. */
  readonly entries: readonly string[];
  /** Ids of the nodes that a path from the entries leads to. */
  readonly reachable: ReadonlySet<string>;
  /** Whether something may end the scope from outside of its flow, whatever its tokens wait for. */
  readonly interruptible: boolean;
  /** What its tokens may do. */
  readonly tokens: ScopeTokens;
}

export interface LintContext {
  readonly graph: WorkflowGraph;
  readonly scopes: readonly LintScope[];
  /** The time for which the model is judged, in milliseconds since the epoch. */
  readonly now: number;
  /** Ids of all processes that are at hand; `null` where others may be deployed that are not seen here. */
  readonly workflowIds: ReadonlySet<string> | null;
  /** Ids of all DMN decisions that are at hand; `null` where others may be deployed that are not seen here. */
  readonly decisionIds: ReadonlySet<string> | null;
  report(severity: Severity, elementId: string, message: string): void;
}

/** A check of compiled workflows. It reports only what the graph proves: a false alarm is a defect of the rule. */
export interface LintRule {
  readonly name: string;
  check(context: LintContext): void;
}
