import type { Json } from '../domain/json.js';
import { maxRisk, type PolicyDecision, type RiskLevel } from '../domain/policy.js';
import type { ElementInstance, RunState } from '../domain/run-state.js';
import type { EvaluationScope, FlowNode } from '../domain/workflow-graph.js';
import type { Execution } from './execution.js';
import { StepFailure } from './incidents.js';
import { evaluate, scopeOf } from './variables.js';

const NO_INPUTS = Object.freeze({});

/** The run's risk: the highest of the steps that were not superseded by rework. */
export function runRisk(state: Pick<RunState, 'risks'>): RiskLevel {
  return state.risks.reduce<RiskLevel>((highest, risk) => maxRisk(highest, risk.level), 'low');
}

/** The job type as it is now: a policy must see what an expression comes to, not that it is one. */
function jobTypeOf(node: FlowNode, scope: EvaluationScope): string | null {
  if (node.kind !== 'jobTask') return null;
  const jobType = evaluate(node.jobType, scope);
  return typeof jobType === 'string' ? jobType : null;
}

/** Asks the policy. No answer is a deny (rule 5: fail closed). */
export function decide(execution: Execution, node: FlowNode, instance: ElementInstance): PolicyDecision {
  const { state, graph, context } = execution;
  const scope = scopeOf(execution, instance);
  const properties: Record<string, Json> = {};
  for (const [name, value] of Object.entries(node.dynamicProperties)) properties[name] = evaluate(value, scope);
  try {
    return context.policy({
      runId: state.runId,
      workflowId: graph.workflowId,
      workflowVersion: state.workflowVersion,
      workflowDigest: state.workflowDigest,
      elementId: node.id,
      elementName: node.name,
      stepType: node.type,
      jobType: jobTypeOf(node, scope),
      headers: node.kind === 'jobTask' ? node.headers : {},
      properties,
      inputs: instance.variables ?? NO_INPUTS,
      agentName: node.kind === 'jobTask' ? (node.headers['agent'] ?? null) : null,
      call: null,
      effect: null,
      taint: [],
      startedBy: state.startedBy,
      runRisk: runRisk(state),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StepFailure('policy_unavailable', `The policy gave no answer, which counts as a deny: ${reason}`);
  }
}
