import type { FlowNode, WorkflowGraph } from '@countersign/model';
import type { Severity } from './finding.js';
import type { ScopeTokens } from './scope-tokens.js';

/** A process or sub-process, checked separately: tokens of a scope never enter another scope (BPMN 2.0, 13.2). */
export interface LintScope {
  readonly id: string;
  /** Flow nodes of this scope, in document order, without those of nested scopes. */
  readonly nodes: ReadonlyMap<string, FlowNode>;
  /** Ids of the nodes at which tokens of the scope start. */
  readonly entries: readonly string[];
  /** Ids of the nodes that are reachable from the entries. */
  readonly reachable: ReadonlySet<string>;
  /** Whether an event outside the flow of the scope may end it, regardless of what its tokens wait for. */
  readonly isInterruptible: boolean;
  /** Analysis of the tokens of the scope. */
  readonly tokens: ScopeTokens;
}

export interface LintContext {
  readonly graph: WorkflowGraph;
  readonly scopes: readonly LintScope[];
  /** The reference time of the checks, in milliseconds since the epoch. */
  readonly now: number;
  /** Ids of all available workflows; `null`: unknown. */
  readonly workflowIds: ReadonlySet<string> | null;
  /** Ids of all available DMN decisions; `null`: unknown. */
  readonly decisionIds: ReadonlySet<string> | null;
  report(severity: Severity, elementId: string, message: string): void;
}

/** A check of compiled workflows. It reports only what the graph proves: a false positive is a bug in the rule. */
export interface LintRule {
  readonly name: string;
  check(context: LintContext): void;
}
