import { type FlowNode, formatSuggestion, type UserTask } from '@countersign/model';
import { getReworkStep } from './approval-properties.js';
import type { CompileContext } from './compile-context.js';
import { isAgentStep } from './compile-jobs.js';
import { FlowGraph } from './flow-graph.js';

/** Virtual node before all entries of a scope; no element has an empty id. */
const VIRTUAL_START = '';

/**
 * Returns the user tasks of one scope with `outcomeHandledByBpmn` and `reworkStep`, which depend on the whole flow of
 * the scope.
 */
export function completeApprovals(
  context: CompileContext,
  nodes: ReadonlyMap<string, FlowNode>,
  entries: readonly string[],
): UserTask[] {
  const tasks = [...nodes.values()].filter((node) => node.kind === 'userTask');
  if (tasks.length === 0) return [];
  const graph = new FlowGraph([VIRTUAL_START, ...nodes.keys()], (id) =>
    id === VIRTUAL_START ? entries : getSuccessors(nodes, id),
  );
  const dominators = graph.computeImmediateDominators(VIRTUAL_START);
  const splitAndJoinIds = new Set([...nodes.values()].filter(splitsOrJoinsTokens).map((node) => node.id));
  const flow: ScopeFlow = { nodes, graph, dominators, splitAndJoinIds, agentSteps: new Map() };
  return tasks.map((task) => ({
    ...task,
    approval: {
      ...task.approval,
      outcomeHandledByBpmn: isOutcomeHandledByBpmn(task, nodes),
      reworkStep: findReworkStep(context, task, flow),
    },
  }));
}

/** Returns the next nodes of a token: over its flows, over a link, and from an activity to its boundary events. */
function getSuccessors(nodes: ReadonlyMap<string, FlowNode>, id: string): readonly string[] {
  const node = nodes.get(id);
  if (node === undefined) return [];
  const targets = [...node.outgoing.map((flow) => flow.targetId), ...node.boundaryEvents];
  return node.kind === 'linkThrow' ? [...targets, node.targetId] : targets;
}

/**
 * Returns whether the task's flow reaches, only through gateways, a condition that reads `<resultVariable>.decision`.
 * Reading the whole variable (for example to pass it on) does not count as handling the decision.
 */
function isOutcomeHandledByBpmn(task: UserTask, nodes: ReadonlyMap<string, FlowNode>): boolean {
  const seen = new Set<string>();
  const pending: FlowNode[] = [task];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (const flow of node.outgoing) {
      const reads = flow.condition?.reads ?? [];
      if (reads.some((path) => path[0] === task.approval.resultVariable && path[1] === 'decision')) return true;
      const target = nodes.get(flow.targetId);
      if (target === undefined || !target.type.endsWith('Gateway') || seen.has(target.id)) continue;
      seen.add(target.id);
      pending.push(target);
    }
  }
  return false;
}

interface ScopeFlow {
  readonly nodes: ReadonlyMap<string, FlowNode>;
  readonly graph: FlowGraph;
  readonly dominators: ReadonlyMap<string, string>;
  readonly splitAndJoinIds: ReadonlySet<string>;
  /** See {@link findNearestAgentStep}. */
  readonly agentSteps: Map<string, string | null>;
}

function findReworkStep(context: CompileContext, task: UserTask, flow: ScopeFlow): string | null {
  const reworkStepId = getReworkStep(task.properties);
  if (task.loop !== null) {
    // Sending the run back for one of several instances would start the step again for each of them.
    if (reworkStepId === undefined) return null;
    const message = 'Property "approval.reworkStep": a user task with a loop marker cannot send the run back.';
    context.problems.add(task.id, 'invalid_rework_step', message);
    return null;
  }
  if (reworkStepId !== undefined) {
    const error = findReworkStepError(reworkStepId, task, flow);
    if (error !== undefined) {
      context.problems.add(task.id, 'invalid_rework_step', `Property "approval.reworkStep": ${error}`);
    }
    return reworkStepId;
  }
  // The nearest agent step is sufficient: a gateway between this step and the task is also between any earlier agent
  // step and the task.
  const agentStep = findNearestAgentStep(task.id, flow);
  return agentStep !== null && findSplitOrJoinBetween(agentStep, task.id, flow) === undefined ? agentStep : null;
}

/**
 * Returns the nearest agent step that dominates a node; `null` if there is none. The result is cached for all nodes on
 * the path, because a path may have thousands of nodes.
 */
function findNearestAgentStep(nodeId: string, { nodes, dominators, agentSteps }: ScopeFlow): string | null {
  const visitedIds: string[] = [];
  let found: string | null = null;
  for (let id: string | undefined = nodeId; id !== undefined;) {
    const known = agentSteps.get(id);
    if (known !== undefined) {
      found = known;
      break;
    }
    visitedIds.push(id);
    const dominatorId = dominators.get(id);
    const node = dominatorId === undefined ? undefined : nodes.get(dominatorId);
    if (node !== undefined && isAgentStep(node)) {
      found = node.id;
      break;
    }
    id = dominatorId;
  }
  for (const id of visitedIds) agentSteps.set(id, found);
  return found;
}

function findReworkStepError(reworkStepId: string, task: UserTask, flow: ScopeFlow): string | undefined {
  const node = flow.nodes.get(reworkStepId);
  if (node === undefined) {
    return `"${reworkStepId}" is not an executed element in the scope of the user task.${formatSuggestion(reworkStepId, flow.nodes.keys())}`;
  }
  if (reworkStepId === task.id) return 'a user task cannot be its own rework step.';
  if (!/(?:task|activity|process|transaction)$/i.test(node.type))
    return `"${reworkStepId}" is of type ${node.type}; a rework step must be an activity.`;
  if (!flow.graph.hasPath(reworkStepId, task.id)) {
    return `no flow leads from "${reworkStepId}" to the user task, so the approval would not be requested again.`;
  }
  const split = findSplitOrJoinBetween(reworkStepId, task.id, flow);
  if (split === undefined) return undefined;
  return `"${split}" splits or joins the flow between "${reworkStepId}" and the user task; going back would duplicate the tokens.`;
}

/** Returns a node between two nodes (including the first) that splits or joins tokens. */
function findSplitOrJoinBetween(from: string, to: string, { graph, splitAndJoinIds }: ScopeFlow): string | undefined {
  if (splitAndJoinIds.size === 0) return undefined;
  return splitAndJoinIds.has(from) ? from : graph.findNodesBetween(from, to).find((id) => splitAndJoinIds.has(id));
}

/**
 * Returns whether a node splits or joins tokens: parallel, inclusive and complex gateways, non-interrupting boundary
 * events, and any node with several outgoing flows except exclusive and event-based gateways, since that is a parallel
 * split too (BPMN 2.0, 13.3.1).
 */
function splitsOrJoinsTokens(node: FlowNode): boolean {
  if (node.kind === 'boundaryEvent') return !node.interrupting;
  if (node.kind === 'exclusiveGateway' || (node.kind === 'eventGateway' && !node.parallel)) return false;
  return node.type.endsWith('Gateway') || node.outgoing.length > 1;
}
