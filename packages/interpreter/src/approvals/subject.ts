import {
  type ApprovalSubject,
  areParallel,
  canonicalJson,
  canonicalObject,
  type ElementInstance,
  isArtifactName,
  type Json,
  type JsonObject,
  sha256Hex,
  type Taints,
  type UserTask,
  type UserTaskSubject,
  type WorkflowGraph,
} from '@countersign/model';
import type { Execution } from '../execution.js';
import { StepFailure } from '../incidents.js';
import { evaluateNames, formatForMessage } from '../names.js';
import { buildLoopInstanceTaints, buildLoopInstanceVariables } from '../loops/seed-loop.js';
import { getMappingTaints } from '../taint.js';
import type { evaluatePresentation } from './evaluate-presentation.js';
import { evaluateMappings, buildEvaluationScope, getVisibleVariables } from '../variables.js';

/**
 * Returns the current subject of a user task's approval: the mapped inputs, how the BPMN model presents them, the
 * named evidence and the definition.
 * Without a mapping, the inputs are the variables that existed when the approval was requested, except those in which
 * parallel approvals store their decisions. So all approvers decide on the same data, regardless of their order.
 *
 * @param names names of these variables, as returned by {@link findSubjectNames} when the approval was requested;
 *   `undefined` for all visible variables
 * @param requestedAt in milliseconds since the epoch
 * @param evaluateTexts evaluates how the inputs are presented
 */
export function buildTaskSubject(
  execution: Execution,
  node: UserTask,
  instance: ElementInstance,
  names: readonly string[] | undefined,
  requestedAt: number,
  evaluateTexts: typeof evaluatePresentation,
): UserTaskSubject {
  const { state } = execution;
  const inputs =
    node.inputs.length > 0
      ? evaluateMappedInputs(execution, node, instance)
      : pickVariables(collectVisibleVariables(execution, node, instance), names);
  return {
    kind: 'user_task',
    runId: state.runId,
    elementId: node.id,
    inputs,
    ...evaluateTexts(execution, node, inputs, requestedAt),
    evidence: evaluateEvidenceNames(execution, node, instance).map((name) => {
      const artifact = Object.hasOwn(state.artifacts, name) ? state.artifacts[name] : undefined;
      return { name, version: artifact?.version ?? null, sha256: artifact?.sha256 ?? null };
    }),
    definition: {
      workflowId: state.workflowId,
      workflowVersion: state.workflowVersion,
      digest: state.workflowDigest,
    },
  };
}

/**
 * Returns the names of the variables that currently form the subject of an approval without input mappings; `undefined`
 * if there are mappings.
 */
export function findSubjectNames(
  execution: Execution,
  node: UserTask,
  instance: ElementInstance,
): readonly string[] | undefined {
  if (node.inputs.length > 0) return undefined;
  const { graph } = execution;
  const tasks = groupTasksByResult(graph);
  return Object.keys(collectVisibleVariables(execution, node, instance)).filter(
    (name) => tasks.get(name)?.some((other) => areParallel(graph, node, other)) !== true,
  );
}

const tasksByResultCache = new WeakMap<WorkflowGraph, ReadonlyMap<string, readonly UserTask[]>>();

/** Groups the user tasks of a graph by their result variable. */
function groupTasksByResult(graph: WorkflowGraph): ReadonlyMap<string, readonly UserTask[]> {
  const cachedTasks = tasksByResultCache.get(graph);
  if (cachedTasks !== undefined) return cachedTasks;
  const tasks = new Map<string, UserTask[]>();
  for (const node of graph.nodes.values()) {
    if (node.kind !== 'userTask') continue;
    const { resultVariable } = node.approval;
    const others = tasks.get(resultVariable);
    if (others === undefined) tasks.set(resultVariable, [node]);
    else others.push(node);
  }
  tasksByResultCache.set(graph, tasks);
  return tasks;
}

function pickVariables(variables: JsonObject, names: readonly string[] | undefined): JsonObject {
  if (names === undefined) return variables;
  const wantedNames = new Set(names);
  return Object.fromEntries(Object.entries(variables).filter(([name]) => wantedNames.has(name)));
}

/**
 * Returns the current results of the input mappings. The mappings can read the variables of the enclosing scope and of
 * the loop instance.
 */
export function evaluateMappedInputs(execution: Execution, node: UserTask, instance: ElementInstance): JsonObject {
  const enclosingScope = instance.parent === null ? instance : execution.get(instance.parent);
  const { loopCounter } = instance;
  const loopVariables =
    loopCounter === undefined || enclosingScope.loop === undefined
      ? {}
      : buildLoopInstanceVariables(node, enclosingScope.loop, loopCounter);
  return evaluateMappings(node.inputs, (written) =>
    buildEvaluationScope(execution, enclosingScope, { ...loopVariables, ...written }),
  );
}

/** Returns the taints of {@link evaluateMappedInputs}. */
export function findMappedInputTaints(
  execution: Execution,
  node: UserTask,
  instance: ElementInstance,
): Taints | undefined {
  const enclosingScope = instance.parent === null ? instance : execution.get(instance.parent);
  const loopTaints =
    instance.loopCounter === undefined || enclosingScope.loop === undefined
      ? undefined
      : buildLoopInstanceTaints(node, enclosingScope.loop);
  return getMappingTaints(execution, enclosingScope, node.inputs, loopTaints === undefined ? {} : { own: loopTaints });
}

/**
 * Returns all variables that are visible to the step. In a loop, excludes the data of other loop instances: the results
 * that the loop collects, and their decisions.
 */
function collectVisibleVariables(execution: Execution, node: UserTask, instance: ElementInstance): JsonObject {
  let isInLoop = false;
  const stepVariables = getVisibleVariables((key) => {
    const each = execution.find(key);
    if (each?.loop === undefined) return each;
    isInLoop = true;
    const { variables: _variables, ...instanceWithoutVariables } = each;
    return instanceWithoutVariables;
  }, instance);
  if (!isInLoop) return stepVariables;
  const { [node.approval.resultVariable]: _ownDecision, ...rest } = stepVariables;
  return rest;
}

/**
 * Returns the digest of a subject: `sha256:<hex>` of its RFC 8785 form.
 *
 * @param toCanonicalText returns the RFC 8785 text of an input's value; useful if many subjects share values
 */
export function computeSubjectDigest(subject: ApprovalSubject, toCanonicalText?: (value: Json) => string): string {
  return `sha256:${sha256Hex(toCanonicalText === undefined || subject.kind !== 'user_task' ? canonicalJson(subject) : buildSubjectText(subject, toCanonicalText))}`;
}

/** Builds the RFC 8785 text of a subject from the texts of its inputs. A spec compares it with `canonicalJson`. */
function buildSubjectText(
  { inputs, ...others }: Extract<ApprovalSubject, { kind: 'user_task' }>,
  toCanonicalText: (value: Json) => string,
): string {
  const texts = Object.entries(others).map(([name, value]) => [name, canonicalJson(value)] as const);
  const inputTexts = Object.entries(inputs).map(([name, value]) => [name, toCanonicalText(value)] as const);
  return canonicalObject([...texts, ['inputs', canonicalObject(inputTexts)]]);
}

function evaluateEvidenceNames(execution: Execution, node: UserTask, instance: ElementInstance): readonly string[] {
  const { evidence } = node.approval;
  if (evidence === null) return [];
  const scope = buildEvaluationScope(execution, instance);
  // An approval must not open without the evidence that the BPMN model requires.
  const names = evaluateNames(evidence, scope, `The evidence of "${node.id}"`, { isRequired: true });
  const invalidName = names.find((name) => !isArtifactName(name));
  if (invalidName === undefined) return names;
  const message = `The evidence of "${node.id}" includes ${formatForMessage(invalidName)}, which is not a valid artifact name.`;
  throw new StepFailure('approval_invalid', message);
}
