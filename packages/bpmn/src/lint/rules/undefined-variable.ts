import { type FlowNode, isJsonObject, type WorkflowGraph, unreachable } from '@countersign/model';
import type { LintRule } from '../lint-rule.js';

/**
 * Reports a condition that reads a variable that is never written. This can only be checked if the workflow declares
 * its inputs (`inputSchema` without additional properties), and every step that sets variables names them (output
 * mappings).
 */
export const undefinedVariable: LintRule = {
  name: 'undefined-variable',
  check: ({ graph, report }) => {
    const writtenNames = findWrittenVariables(graph);
    if (writtenNames === undefined) return;
    for (const { outgoing } of graph.nodes.values()) {
      for (const { id, condition } of outgoing) {
        const undefinedName = condition?.reads.map(([name]) => name ?? '').find((name) => !writtenNames.has(name));
        if (undefinedName === undefined) continue;
        report(
          'warning',
          id,
          `The condition reads "${undefinedName}", which is neither an input of the workflow nor written by a step. Correct the name, or add it to the inputSchema.`,
        );
      }
    }
  },
};

/** Returns all possible names of variables; `undefined` if any name is possible. */
function findWrittenVariables({ inputSchema, nodes }: WorkflowGraph): ReadonlySet<string> | undefined {
  if (inputSchema?.['additionalProperties'] !== false || inputSchema['patternProperties'] !== undefined)
    return undefined;
  const properties = inputSchema['properties'] ?? {};
  if (!isJsonObject(properties)) return undefined;
  const writtenNames = new Set(Object.keys(properties));
  for (const node of nodes.values()) {
    if (mayWriteAnyVariable(node)) return undefined;
    for (const name of listWrittenNames(node)) writtenNames.add(name);
  }
  return writtenNames;
}

/**
 * Returns whether a node may set variables of any name: data from outside has names that the model does not define,
 * unless an output mapping selects from it.
 */
function mayWriteAnyVariable(node: FlowNode): boolean {
  switch (node.kind) {
    case 'jobTask':
    case 'callActivity':
      return node.outputs.length === 0;
    case 'startEvent':
    case 'catch':
    case 'boundaryEvent':
      // Errors of jobs set variables too, bypassing the mappings of the job.
      return node.triggers.some(
        ({ kind }) => kind === 'message' || kind === 'signal' || kind === 'error' || kind === 'escalation',
      );
    case 'endEvent':
    case 'throw':
    case 'linkThrow':
    case 'userTask':
    case 'scriptTask':
    case 'decisionTask':
    case 'passTask':
    case 'exclusiveGateway':
    case 'parallelGateway':
    case 'inclusiveGateway':
    case 'complexGateway':
    case 'eventGateway':
    case 'subProcess':
    case 'adHocSubProcess':
    case 'eventSubProcess':
      return false;
    default:
      return unreachable(node);
  }
}

function listWrittenNames(node: FlowNode): readonly string[] {
  const names = [...node.inputs, ...node.outputs].map(({ target }) => target[0] ?? '');
  if (node.kind === 'scriptTask' || node.kind === 'decisionTask') names.push(node.resultVariable);
  if (node.kind === 'userTask') names.push(node.approval.resultVariable);
  if (node.loop === null) return names;
  const { loop } = node;
  return loop.kind === 'standard'
    ? [...names, 'loopCounter']
    : [...names, 'loopCounter', loop.inputElement ?? '', loop.outputCollection ?? ''];
}
