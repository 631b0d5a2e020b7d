import {
  type AgentCall,
  readAgentName,
  type Destination,
  type ElementInstance,
  type EvaluationScope,
  type FlowNode,
  isSubjectToPolicy,
  type Json,
  type JsonObject,
  type PolicyCall,
  type PolicyDecision,
  type PolicyRequest,
  resolvePorts,
} from '@countersign/model';
import type { Execution } from './execution.js';
import { StepFailure } from './incidents.js';
import { getStepInputTaintSources } from './taint.js';
import { evaluate, buildEvaluationScope } from './variables.js';

const NO_INPUTS = Object.freeze({});
/** Prefix of the failure message. A replay relies on it. */
export const POLICY_UNAVAILABLE_PREFIX = 'The policy gave no answer, which counts as a deny: ';

/** Returns the evaluated job type, because a policy must see the value and not the expression. */
function evaluateJobType(node: FlowNode, scope: EvaluationScope): string | null {
  if (node.kind !== 'jobTask') return null;
  const jobType = evaluate(node.jobType, scope);
  return typeof jobType === 'string' ? jobType : null;
}

/**
 * Evaluates the policy. A failed evaluation has the effect of a deny (fail closed).
 *
 * @throws {StepFailure} `policy_unavailable` if the policy cannot be evaluated
 */
export function evaluatePolicy({ context }: Execution, request: PolicyRequest): PolicyDecision {
  try {
    return context.policy(request);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StepFailure('policy_unavailable', `${POLICY_UNAVAILABLE_PREFIX}${reason}`);
  }
}

export function buildPolicyRequest(
  execution: Execution,
  node: FlowNode,
  instance: ElementInstance,
  call?: AgentCall,
): PolicyRequest {
  const { state, graph, context } = execution;
  const scope = buildEvaluationScope(execution, instance);
  const properties: Record<string, Json> = {};
  for (const [name, value] of Object.entries(node.dynamicProperties)) properties[name] = evaluate(value, scope);
  const jobType = evaluateJobType(node, scope);
  return {
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
    agentName: instance.agent?.agent ?? (node.kind === 'jobTask' ? readAgentName(node.headers) : null),
    call: call === undefined ? null : toPolicyCall(call),
    effect: call?.effect ?? (jobType === null ? undefined : context.resolveEffect?.(jobType)) ?? null,
    ...toRequestDestination(call, instance),
    taint: call?.taint ?? getStepInputTaintSources(execution, node.inputs, instance),
    startedBy: state.startedBy,
    runRisk: execution.risks.highest,
  };
}

function toRequestDestination(
  call: AgentCall | undefined,
  { decidedHosts, decidedPorts }: ElementInstance,
): Destination {
  const { hosts, ports } =
    call === undefined ? { hosts: decidedHosts ?? [], ports: decidedPorts } : { hosts: call.hosts, ports: call.ports };
  return { hosts, ports: ports ?? resolvePorts(hosts) };
}

/** Returns whether the policy is evaluated before the work of a step or, in a replay, whether it was. */
export function shouldEvaluatePolicy({ context }: Execution, node: FlowNode): boolean {
  if (!isSubjectToPolicy(node)) return false;
  return node.type.endsWith('ask') || context.wasPolicyEvaluated?.(node.id) !== false;
}

/**
 * Stores the destination of a step's work, for the policy request and for the worker.
 *
 * @throws {StepFailure} `policy_unavailable` if the hosts cannot be determined, because policies decide by hosts
 */
export function storeDestination(execution: Execution, node: FlowNode, instance: ElementInstance): ElementInstance {
  const { decidedHosts: before, decidedPorts: _, ...rest } = instance;
  const destination = resolveStepDestination(execution, node, instance);
  if (destination !== undefined)
    return execution.put({ ...rest, decidedHosts: destination.hosts, decidedPorts: destination.ports });
  return before === undefined ? instance : execution.put(rest);
}

function resolveStepDestination(
  execution: Execution,
  node: FlowNode,
  instance: ElementInstance,
): Destination | undefined {
  const jobType = evaluateJobType(node, buildEvaluationScope(execution, instance));
  if (node.kind !== 'jobTask' || jobType === null) return undefined;
  try {
    return execution.context.resolveDestination?.({ jobType, node, instance });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StepFailure(
      'policy_unavailable',
      `${POLICY_UNAVAILABLE_PREFIX}The destination of the step cannot be determined: ${reason} Correct it, and recover the run.`,
    );
  }
}

/**
 * Returns the parts of a policy request that neither the BPMN model nor the rest of the history contains, so another
 * policy can be evaluated with the same request later. `null` if there are none.
 */
export function toRecordedRequest(
  node: FlowNode,
  { jobType, properties, inputs, effect, hosts, ports, taint, runRisk: risk, call }: PolicyRequest,
): { asked: JsonObject } | null {
  const asked: JsonObject = {};
  if (Object.keys(properties).length > 0) asked['properties'] = properties;
  if (risk !== 'low') asked['runRisk'] = risk;
  if (call !== null) {
    if (call.artifacts.length > 0) asked['artifacts'] = [...call.artifacts];
  } else {
    if (Object.keys(inputs).length > 0) asked['inputs'] = inputs;
    if (effect !== null) asked['effect'] = effect;
    if (hosts.length > 0) asked['hosts'] = [...hosts];
    if (ports.length > 0) asked['ports'] = [...ports];
    if (taint.length > 0) asked['taint'] = [...taint];
    if (node.kind === 'jobTask' && 'expression' in node.jobType) asked['jobType'] = jobType;
  }
  return Object.keys(asked).length === 0 ? null : { asked };
}

function toPolicyCall({
  tool,
  toolDigest,
  effect,
  reversible,
  hosts,
  artifacts,
  arguments: callArguments,
  editedBy,
}: AgentCall): PolicyCall {
  return {
    tool,
    toolDigest,
    effect,
    reversible,
    hosts,
    artifacts,
    arguments: callArguments,
    edited: editedBy !== undefined,
  };
}
