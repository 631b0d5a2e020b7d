import { areParallel, isJsonObject, type UserTask, type WorkflowGraph } from '@countersign/model';
import type { LintRule } from '../lint-rule.js';

/**
 * Reports approvals that may be pending at the same time, if one writes data in the subject of the other: the first
 * decision makes the other request stale, and its approvers must decide again.
 */
export const overlappingApprovals: LintRule = {
  name: 'overlapping-approvals',
  check: ({ graph, report }) => {
    const tasks = [...graph.nodes.values()].filter((node): node is UserTask => node.kind === 'userTask');
    const writing = tasks.filter(({ outputs }) => outputs.length > 0);
    const sources = sourcesOf(graph);
    for (const task of tasks) {
      const read = task.inputs.length > 0 ? readByMappings(task) : undefined;
      for (const other of read === undefined ? writing : tasks) {
        const name = read === undefined ? sharedWithout(sources, task, other) : sharedByMapping(read, other);
        if (name === undefined || !areParallel(graph, task, other)) continue;
        report(
          'warning',
          task.id,
          `Its subject contains "${name}", which the parallel approval "${other.id}" writes when it is resolved: this makes the subject stale. ` +
            'Map only what this approval needs (zeebe:input), or put one approval after the other.',
        );
        // One finding per task is enough.
        break;
      }
    }
  },
};

/** Returns the variables that the input mappings of an approval read from the enclosing scope. */
function readByMappings({ inputs }: UserTask): ReadonlySet<string> {
  const read = new Set<string>();
  const own = new Set<string>();
  for (const { source, target } of inputs) {
    const names = 'literal' in source ? [] : source.expression.reads.map(([name]) => name ?? '');
    for (const name of names) if (!own.has(name)) read.add(name);
    own.add(target[0] ?? '');
  }
  return read;
}

function sharedByMapping(read: ReadonlySet<string>, other: UserTask): string | undefined {
  return [other.approval.resultVariable, ...outputsOf(other)].find((name) => read.has(name));
}

/**
 * Returns a shared variable of an approval without a mapping: its subject has all variables except parallel decisions.
 * Only a variable from a third source can exist when the approval is requested.
 */
function sharedWithout(sources: Sources, task: UserTask, other: UserTask): string | undefined {
  return outputsOf(other).find((name) => {
    const providers = sources.get(name);
    return providers !== undefined && [...providers].some((id) => id !== task.id && id !== other.id);
  });
}

/** Sources of each variable: ids of nodes, or of the workflow for its inputs. At most three sources are recorded. */
type Sources = ReadonlyMap<string, ReadonlySet<string>>;

function sourcesOf({ inputSchema, nodes, workflowId }: WorkflowGraph): Sources {
  const sources = new Map<string, Set<string>>();
  const add = (name: string, id: string): void => {
    const known = sources.get(name) ?? new Set<string>();
    if (known.size < 3) sources.set(name, known.add(id));
  };
  const properties = inputSchema?.['properties'];
  for (const name of isJsonObject(properties) ? Object.keys(properties) : []) add(name, workflowId);
  for (const node of nodes.values()) {
    for (const { target } of node.outputs) add(target[0] ?? '', node.id);
    if (node.kind === 'scriptTask' || node.kind === 'decisionTask') add(node.resultVariable, node.id);
  }
  return sources;
}

function outputsOf({ outputs }: UserTask): readonly string[] {
  return outputs.map(({ target }) => target[0] ?? '');
}
