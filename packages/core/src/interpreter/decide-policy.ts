import type { AgentCall } from '../domain/agent.js';
import type { Json } from '../domain/json.js';
import { maxRisk, type PolicyCall, type PolicyDecision, type RiskLevel } from '../domain/policy.js';
import type { ElementInstance, RunState } from '../domain/run-state.js';
import type { EvaluationScope, FlowNode } from '../domain/workflow-graph.js';
import type { Execution } from './execution.js';
import { StepFailure } from './incidents.js';
import { taintOfStep } from './taint.js';
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

/**
 * Asks the policy about a step in front of its work, or about one call of an agent. No answer is a deny (rule 5: fail closed).
 *
 * @throws {StepFailure} `policy_unavailable`
 */
export function decide(execution: Execution, node: FlowNode, instance: ElementInstance, call?: AgentCall): PolicyDecision {
  const { state, graph, context } = execution;
  const scope = scopeOf(execution, instance);
  const properties: Record<string, Json> = {};
  for (const [name, value] of Object.entries(node.dynamicProperties)) properties[name] = evaluate(value, scope);
  const jobType = jobTypeOf(node, scope);
  try {
    return context.policy({
      runId: state.runId,
      workflowId: graph.workflowId,
      workflowVersion: state.workflowVersion,
      workflowDigest: state.workflowDigest,
      elementId: node.id,
      elementName: node.name,
      stepType: node.type,
      jobType,
      headers: node.kind === 'jobTask' ? node.headers : {},
      properties,
      inputs: instance.variables ?? NO_INPUTS,
      agentName: instance.agent?.agent ?? (node.kind === 'jobTask' ? (node.headers['agent'] ?? null) : null),
      call: call === undefined ? null : policyCall(call),
      effect: call?.effect ?? (jobType === null ? undefined : context.effectOf?.(jobType)) ?? null,
      taint: call?.taint ?? taintOfStep(execution, node.inputs, instance),
      startedBy: state.startedBy,
      runRisk: runRisk(state),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StepFailure('policy_unavailable', `The policy gave no answer, which counts as a deny: ${reason}`);
  }
}

function policyCall({ tool, toolDigest, effect, reversible, hosts, artifacts, arguments: given, editedBy }: AgentCall): PolicyCall {
  return { tool, toolDigest, effect, reversible, hosts, artifacts, arguments: given, edited: editedBy !== undefined };
}
