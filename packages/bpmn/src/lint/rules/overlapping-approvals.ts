import { isJsonObject, parallelTasks, type UserTask, type WorkflowGraph } from '@countersign/model';
import type { LintRule } from '../lint-rule.js';

/**
 * Approvals that may be pending at the same time, of which one writes what another one is about: whoever decides first makes
 * the other request stale, and its approvers have to decide again.
 */
export const overlappingApprovals: LintRule = {
  name: 'overlapping-approvals',
  check: ({ graph, report }) => {
    for (const task of graph.nodes.values()) {
      if (task.kind !== 'userTask') continue;
      for (const other of parallelTasks(graph, task)) {
        const name = task.inputs.length > 0 ? sharedByMapping(task, other) : sharedWithout(graph, task, other);
        if (name === undefined) continue;
        report(
          'warning',
          task.id,
          `It is about "${name}", which the parallel approval "${other.id}" writes when it is decided: a decision there makes this request stale. ` +
            'Map only what this one is about (zeebe:input), or put one approval behind the other.',
        );
      }
    }
  },
};

/** A variable that the input mappings of an approval read, and that a parallel one writes. */
function sharedByMapping(task: UserTask, other: UserTask): string | undefined {
  const written = new Set([other.approval.resultVariable, ...outputsOf(other)]);
  const own = new Set<string>();
  for (const { source, target } of task.inputs) {
    const reads = 'literal' in source ? [] : source.expression.reads.map(([name]) => name ?? '');
    const shared = reads.find((name) => written.has(name) && !own.has(name));
    if (shared !== undefined) return shared;
    own.add(target[0] ?? '');
  }
  return undefined;
}

/**
 * The same without a mapping: it is about all variables but parallel decisions. Only what something else brings, too, can be
 * there when it is requested.
 */
function sharedWithout({ inputSchema, nodes }: WorkflowGraph, task: UserTask, other: UserTask): string | undefined {
  const properties = inputSchema?.['properties'];
  const brought = new Set(isJsonObject(properties) ? Object.keys(properties) : []);
  for (const node of nodes.values()) {
    if (node.id === task.id || node.id === other.id) continue;
    for (const { target } of node.outputs) brought.add(target[0] ?? '');
    if (node.kind === 'scriptTask' || node.kind === 'decisionTask') brought.add(node.resultVariable);
  }
  return outputsOf(other).find((name) => brought.has(name));
}

function outputsOf({ outputs }: UserTask): readonly string[] {
  return outputs.map(({ target }) => target[0] ?? '');
}
