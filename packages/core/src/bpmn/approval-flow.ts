import type { FlowNode, UserTask } from '../domain/workflow-graph.js';
import { reworkStepOf } from './approval-properties.js';
import type { CompileContext } from './compile-context.js';
import { isAgentStep } from './compile-jobs.js';
import { immediateDominators, leadsTo, nodesBetween, type Digraph } from './dominators.js';
import { suggestion } from './suggest.js';

/** Completes the approvals of one scope with what only its whole flow tells. */
export function completeApprovals(context: CompileContext, nodes: ReadonlyMap<string, FlowNode>, entry: string): UserTask[] {
  const tasks = [...nodes.values()].filter((node) => node.kind === 'userTask');
  if (tasks.length === 0) return [];
  const graph: Digraph = {
    nodes: [...nodes.keys()],
    successors: (id) => (nodes.get(id)?.outgoing ?? []).map((flow) => flow.targetId),
  };
  const dominators = immediateDominators(graph, entry);
  return tasks.map((task) => ({
    ...task,
    approval: {
      ...task.approval,
      decidedByModel: isDecidedByModel(task, nodes),
      reworkStep: findReworkStep(context, task, nodes, graph, dominators),
    },
  }));
}

/**
 * Whether the task's flow reaches, through gateways alone, a condition that reads `<resultVariable>.decision`. Reading
 * the variable as a whole (to hand it on, say) is not reacting to the decision.
 */
function isDecidedByModel(task: UserTask, nodes: ReadonlyMap<string, FlowNode>): boolean {
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

function findReworkStep(
  context: CompileContext,
  task: UserTask,
  nodes: ReadonlyMap<string, FlowNode>,
  graph: Digraph,
  dominators: ReadonlyMap<string, string>,
): string | null {
  const named = reworkStepOf(task.properties);
  if (named !== undefined) {
    const fault = faultOfReworkStep(named, task, nodes, graph);
    if (fault !== undefined) {
      context.problems.add(task.id, 'invalid_rework_step', `Property "approval.reworkStep": ${fault}`);
    }
    return named;
  }
  for (let id = dominators.get(task.id); id !== undefined; id = dominators.get(id)) {
    const node = nodes.get(id);
    // The nearest agent step decides: a gateway between it and the task is also between any earlier one and the task.
    if (node !== undefined && isAgentStep(node)) return splitBetween(id, task.id, nodes, graph) === undefined ? id : null;
  }
  return null;
}

function faultOfReworkStep(
  named: string,
  task: UserTask,
  nodes: ReadonlyMap<string, FlowNode>,
  graph: Digraph,
): string | undefined {
  const node = nodes.get(named);
  if (node === undefined) {
    return `there is no executed element "${named}" beside the user task.${suggestion(named, nodes.keys())}`;
  }
  if (named === task.id || !/(?:task|activity|process)$/i.test(node.type)) {
    return `"${named}" is a ${named === task.id ? 'user task waiting for its own rework' : node.type}, not a task to go back to.`;
  }
  if (!leadsTo(graph, named, task.id)) return `no flow leads from "${named}" to the user task, so that it would not be asked again.`;
  const split = splitBetween(named, task.id, nodes, graph);
  if (split === undefined) return undefined;
  return `"${split}" splits or joins the flow between "${named}" and the user task; going back would double the tokens.`;
}

/**
 * The node between two that splits or joins tokens, if any: a parallel or inclusive gateway, or anything else but an
 * exclusive or event-based gateway that several flows leave, which is a parallel split too (BPMN 2.0, 13.3.1).
 */
function splitBetween(
  from: string,
  to: string,
  nodes: ReadonlyMap<string, FlowNode>,
  graph: Digraph,
): string | undefined {
  for (const id of [from, ...nodesBetween(graph, from, to)]) {
    const node = nodes.get(id);
    if (node === undefined) continue;
    if (node.type === 'exclusiveGateway' || node.type === 'eventBasedGateway') continue;
    if (node.type.endsWith('Gateway') || node.outgoing.length > 1) return id;
  }
  return undefined;
}
