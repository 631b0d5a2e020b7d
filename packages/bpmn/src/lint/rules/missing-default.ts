import { APPROVAL_DECISIONS, type FlowNode, type SequenceFlow, type WorkflowGraph } from '@countersign/model';
import type { LintRule } from '../lint-rule.js';
import { findTakenFlows, readsOnlyDecision } from './decision-conditions.js';

/**
 * Reports an exclusive or inclusive gateway whose conditions may all be false: the run then stops with an incident
 * (BPMN 2.0, tables 13.2 and 13.3: "an exception is thrown"). If a value is missing, neither `x > 1` nor `x <= 1` is
 * true.
 */
export const missingDefault: LintRule = {
  name: 'missing-default',
  check: ({ graph, report }) => {
    for (const node of graph.nodes.values()) {
      if (node.kind !== 'exclusiveGateway' && node.kind !== 'inclusiveGateway') continue;
      if (node.outgoing.length < 2 || node.defaultFlow !== null || isComplete(graph, node)) continue;
      report(
        'warning',
        node.id,
        `This gateway has no default flow: if no condition is true (for example because a value is missing), the run stops with an incident. Make one of its flows the default.`,
      );
    }
  },
};

function isComplete(graph: WorkflowGraph, node: FlowNode): boolean {
  return areComplementary(node.outgoing) || handlesEveryDecision(graph, node);
}

/** Returns whether the flows have conditions `a = b` and `a != b`: one of the two is always true. */
function areComplementary(flows: readonly SequenceFlow[]): boolean {
  const sources = new Set(flows.map(({ condition }) => condition?.source.replace(/\s+/g, ' ').trim()));
  return [...sources].some((source) => {
    const equalityMatch = /^([^=!<>]+?) ?= ?([^=!<>]+)$/.exec(source ?? '');
    const [, left = '', right = ''] = equalityMatch ?? [];
    return equalityMatch !== null && (sources.has(`${left} != ${right}`) || sources.has(`${left}!=${right}`));
  });
}

/** Returns whether a flow is taken for every decision. dead-end-approval reports decisions without a flow. */
function handlesEveryDecision({ resultVariables }: WorkflowGraph, node: FlowNode): boolean {
  const conditions = node.outgoing.map(({ condition }) => condition).filter((condition) => condition !== null);
  const variable = conditions[0]?.reads[0]?.[0];
  if (variable === undefined || !resultVariables.has(variable)) return false;
  if (!conditions.every((condition) => readsOnlyDecision(condition, variable))) return false;
  return APPROVAL_DECISIONS.every((decision) => !findTakenFlows(node, variable, decision).isStuck);
}
