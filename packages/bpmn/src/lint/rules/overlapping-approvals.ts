import { areParallel, isJsonObject, type UserTask, type WorkflowGraph } from '@countersign/model';
import type { LintRule } from '../lint-rule.js';

/**
 * Reports approvals that may be pending at the same time, if one writes data in the subject of the other: the first
 * decision makes the other approval stale, and its approvers must decide again.
 */
export const overlappingApprovals: LintRule = {
  name: 'overlapping-approvals',
  check: ({ graph, report }) => {
    const tasks = [...graph.nodes.values()].filter((node): node is UserTask => node.kind === 'userTask');
    const writingTasks = tasks.filter(({ outputs }) => outputs.length > 0);
    const sources = collectSources(graph);
    for (const task of tasks) {
      const readVariables = task.inputs.length > 0 ? listMappedVariables(task) : undefined;
      for (const other of readVariables === undefined ? writingTasks : tasks) {
        const name =
          readVariables === undefined
            ? findSharedWithoutMapping(sources, task, other)
            : findSharedByMapping(readVariables, other);
        if (name === undefined || !areParallel(graph, task, other)) continue;
        report(
          'warning',
          task.id,
          `The subject of this approval contains "${name}", which the parallel approval "${other.id}" writes when it is resolved: this makes the subject stale. ` +
            'Map only what this approval needs (zeebe:input), or put one approval after the other.',
        );
        // One finding per task is enough.
        break;
      }
    }
  },
};

/** Returns the names of the variables that the input mappings of an approval read from the enclosing scope. */
function listMappedVariables({ inputs }: UserTask): ReadonlySet<string> {
  const readVariables = new Set<string>();
  const mappedNames = new Set<string>();
  for (const { source, target } of inputs) {
    const names = 'literal' in source ? [] : source.expression.reads.map(([name]) => name ?? '');
    for (const name of names) if (!mappedNames.has(name)) readVariables.add(name);
    mappedNames.add(target[0] ?? '');
  }
  return readVariables;
}

function findSharedByMapping(readVariables: ReadonlySet<string>, other: UserTask): string | undefined {
  return [other.approval.resultVariable, ...getOutputVariables(other)].find((name) => readVariables.has(name));
}

/**
 * Returns an output variable of the other approval that may be in the subject of an approval without input mappings.
 * Such a subject contains all variables except parallel decisions. When the approval is requested, the variable can
 * exist only if it has a source other than the two approvals.
 */
function findSharedWithoutMapping(sources: VariableSources, task: UserTask, other: UserTask): string | undefined {
  return getOutputVariables(other).find((name) => {
    const providers = sources.get(name);
    return providers !== undefined && [...providers].some((id) => id !== task.id && id !== other.id);
  });
}

/** Sources of each variable: ids of nodes, or of the workflow for its inputs. At most three sources are recorded. */
type VariableSources = ReadonlyMap<string, ReadonlySet<string>>;

function collectSources({ inputSchema, nodes, workflowId }: WorkflowGraph): VariableSources {
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

function getOutputVariables({ outputs }: UserTask): readonly string[] {
  return outputs.map(({ target }) => target[0] ?? '');
}
