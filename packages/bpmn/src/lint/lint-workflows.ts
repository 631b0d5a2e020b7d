import type { CompiledFile } from '../compile-workflow.js';
import type { Finding } from './finding.js';
import type { LintContext, LintRule } from './lint-rule.js';
import { deadEndApproval } from './rules/dead-end-approval.js';
import { mayWaitForever } from './rules/may-wait-forever.js';
import { mergedWithoutWaiting } from './rules/merged-without-waiting.js';
import { missingDecision } from './rules/missing-decision.js';
import { missingDefault } from './rules/missing-default.js';
import { missingEndEvent } from './rules/missing-end-event.js';
import { neverJoins } from './rules/never-joins.js';
import { noWayOut } from './rules/no-way-out.js';
import { overlappingApprovals } from './rules/overlapping-approvals.js';
import { timerInPast } from './rules/timer-in-past.js';
import { undefinedVariable } from './rules/undefined-variable.js';
import { unknownWorkflow } from './rules/unknown-workflow.js';
import { unreachable } from './rules/unreachable.js';
import { buildLintScopes } from './scopes.js';

/** All rules, in the order of their findings. */
const LINT_RULES: readonly LintRule[] = [
  unreachable,
  neverJoins,
  mayWaitForever,
  mergedWithoutWaiting,
  noWayOut,
  missingEndEvent,
  deadEndApproval,
  overlappingApprovals,
  missingDefault,
  undefinedVariable,
  timerInPast,
  unknownWorkflow,
  missingDecision,
];

/** Maximum number of findings for one file; the rest are only counted. */
const MAX_FINDINGS = 200;

export interface LintOptions {
  /** Reference time in milliseconds since the epoch: timers before it are past. */
  readonly now: number;
  /** Ids of other workflows that can be called. Undefined: any workflow may exist, and calls are not checked. */
  readonly workflowIds?: Iterable<string>;
  /** Ids of the available DMN decisions. Undefined: any may exist, and business rule tasks are not checked. */
  readonly decisionIds?: Iterable<string>;
}

/**
 * Returns the findings for the workflows of a file that can be deployed. Pure, with bounded work: parts of a model that
 * are too large to be checked are reported as such.
 */
export function lintWorkflows(
  { workflows, warnings }: CompiledFile,
  { now, workflowIds, decisionIds }: LintOptions,
): readonly Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  let omittedCount = 0;
  const knownWorkflowIds =
    workflowIds === undefined ? null : new Set([...workflowIds, ...workflows.map(({ graph }) => graph.workflowId)]);
  const addFinding = (finding: Finding): void => {
    const key = JSON.stringify(finding);
    if (seen.has(key)) return;
    seen.add(key);
    if (findings.length < MAX_FINDINGS) findings.push(finding);
    else omittedCount += 1;
  };
  for (const remark of warnings) addFinding(remark);
  for (const { graph } of workflows) {
    const scopes = buildLintScopes(graph);
    const context: Omit<LintContext, 'report'> = {
      graph,
      scopes,
      now,
      workflowIds: knownWorkflowIds,
      decisionIds: decisionIds === undefined ? null : new Set(decisionIds),
    };
    for (const { name, check } of LINT_RULES) {
      check({
        ...context,
        report: (severity, elementId, message) => addFinding({ severity, rule: name, elementId, message }),
      });
    }
    for (const { id, tokens } of scopes) {
      if (tokens.analysis !== null) continue;
      addFinding({
        severity: 'info',
        rule: 'not-judged',
        elementId: id,
        message: `The flow is too large or too complex to check whether its gateways can join (${tokens.net.places.length} places remain after reduction).`,
      });
    }
  }
  if (omittedCount === 0) return findings;
  return [
    ...findings,
    {
      severity: 'info',
      rule: 'not-listed',
      elementId: null,
      message: `${omittedCount} more findings are not listed (limit: ${MAX_FINDINGS}).`,
    },
  ];
}
