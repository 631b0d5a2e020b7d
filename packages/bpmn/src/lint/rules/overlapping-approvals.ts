import { areParallel, isJsonObject, type UserTask, type WorkflowGraph } from '@countersign/model';
import type { LintRule } from '../lint-rule.js';

/**
 * Approvals that may be pending at the same time, of which one writes what another one is about: whoever decides first makes
 * the other request stale, and its approvers have to decide again.
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
          `It is about "${name}", which the parallel approval "${other.id}" writes when it is decided: a decision there makes this request stale. ` +
            'Map only what this one is about (zeebe:input), or put one approval behind the other.',
        );
        // One of them is enough to say.
        break;
      }
    }
  },
};

/** The variables that the input mappings of an approval read from around it. */
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
 * The same without a mapping: it is about all variables but parallel decisions. Only what something besides the two brings
 * can be there when it is requested.
 */
function sharedWithout(sources: Sources, task: UserTask, other: UserTask): string | undefined {
  return outputsOf(other).find((name) => {
    const providers = sources.get(name);
    return providers !== undefined && [...providers].some((id) => id !== task.id && id !== other.id);
  });
}

/** What brings a variable: ids of nodes, or of the workflow for its inputs. Three of them are enough to know. */
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
