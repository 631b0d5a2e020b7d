import type { WorkflowGraph } from '@countersign/model';
import { checkApprovalProperties, getResultVariable } from './approval-properties.js';
import type { CompileContext } from './compile-context.js';
import { compileScopes } from './compile-scope.js';
import { readDocumentation } from './documentation.js';
import { buildScopeDraft, type ScopeDraft } from './scope-draft.js';
import { checkProperties } from './check-properties.js';
import { readExtensions, readPairs } from './extensions.js';
import { isFeel } from './is-feel.js';
import { readInputSchema } from './input-schema.js';
import type { Finding } from './lint/finding.js';
import { readLanes } from './lanes.js';
import { getElement, getElements, getId, getTag, getString, type ModdleElement } from './moddle.js';
import { parseXml } from './parse-xml.js';
import { Problems } from './problems.js';
import { selectProcesses } from './select-processes.js';
import { checkIdLength } from './values.js';

/** A workflow compiled from a BPMN file. */
export interface CompiledWorkflow {
  readonly graph: WorkflowGraph;
}

/** All executable processes of a file. */
export interface CompiledFile {
  readonly workflows: readonly CompiledWorkflow[];
  /** Findings that depend on parts of the file that the graphs do not contain. */
  readonly warnings: readonly Finding[];
}

/** Supported attributes and children of a process. */
const PROCESS_PROPERTIES = [
  'isExecutable',
  'isClosed',
  'processType',
  'definitionalCollaborationRef',
  'supports',
  'supportedInterfaceRef',
  'properties',
  'laneSets',
  'artifacts',
  'flowElements',
];

/**
 * Compiles the first executable process of a BPMN 2.0 file to the graph that the interpreter executes.
 *
 * Refuses everything that cannot be executed according to BPMN 2.0 and Zeebe 8.6, and reports all problems together,
 * element by element. The same bytes always produce the same graph.
 *
 * @param source the file: its bytes (UTF-8), or its text
 * @throws {ModelRefusedError} with all problems found
 */
export async function compileWorkflow(source: string | Uint8Array): Promise<CompiledWorkflow> {
  const { workflows } = await compileWorkflows(source);
  const [first] = workflows;
  if (first === undefined) throw new Error('unreachable: a file without a process is a problem');
  return first;
}

/**
 * Compiles all executable processes of a file (at least one), in document order. They are deployed together; if one of
 * them is refused, none is deployed.
 *
 * @param options `isDeployed`: the file was deployed before, possibly by a version without limits on the lengths of
 * names
 * @throws {ModelRefusedError} with all problems found
 */
export async function compileWorkflows(
  source: string | Uint8Array,
  { isDeployed = false }: { readonly isDeployed?: boolean } = {},
): Promise<CompiledFile> {
  const problems = new Problems();
  const definitions = await parseXml(source, problems, undefined, isDeployed);
  const processes = selectProcesses({ problems }, definitions);
  const processIds = new Set(processes.map(getId).filter((id) => id !== null));
  const isFeelDefault = isFeel(getString(definitions, 'expressionLanguage'));
  const graphs = processes.map((process) =>
    compileProcess({ problems, isDeployed, processIds, isFeelDefault }, process),
  );
  problems.throwIfAny();
  return {
    workflows: graphs.filter((graph) => graph !== undefined).map((graph) => ({ graph })),
    warnings: problems.warnings,
  };
}

/**
 * Compiles a process and records all of its problems.
 *
 * @returns `undefined` if the process has no id, which is recorded
 */
function compileProcess(
  fileContext: Omit<CompileContext, 'lanes' | 'resultVariables'>,
  process: ModdleElement,
): WorkflowGraph | undefined {
  const { problems } = fileContext;
  const workflowId = getId(process);
  if (workflowId === null) {
    problems.add(null, 'missing_id', 'The executable process has no id, which becomes the workflow id.');
    return undefined;
  }
  checkIdLength(fileContext, workflowId, 'process');
  const draft = buildScopeDraft(fileContext, process, workflowId);
  const resultVariables = new Set(collectResultVariables(draft));
  const context: CompileContext = { ...fileContext, resultVariables, lanes: readLanes(fileContext, draft) };
  checkProperties(context, process, workflowId, PROCESS_PROPERTIES);
  if (getString(process, 'processType') === 'Public') {
    // BPMN 2.0, 10.1: a public process documents an interface for others and is not executed.
    const message =
      'processType="Public" is for processes that are only shown, not executed; remove it, or use "Private".';
    problems.add(workflowId, 'not_for_execution', message);
  }
  const extensions = readExtensions(context, process, workflowId, new Set(['zeebe:properties']));
  const properties = readPairs(context, workflowId, extensions.get('zeebe:properties'), 'properties');
  checkApprovalProperties(context, workflowId, 'process', properties);
  const inputSchema = readInputSchema(context, workflowId, properties);
  const { nodes, scopes } = compileScopes(context, draft);
  return {
    workflowId,
    name: getString(process, 'name') ?? null,
    description: readDocumentation(process),
    inputSchema,
    nodes,
    scopes,
    resultVariables,
  };
}

/**
 * Returns the result variables of all user tasks, including nested scopes. They are collected before compilation,
 * because no mapping or script may write them.
 */
function collectResultVariables(scope: ScopeDraft): readonly string[] {
  return [...scope.nodes.values()].flatMap((node) => [
    ...(node.type === 'userTask' ? [getResultVariable(readRawProperties(node.element))] : []),
    ...(node.innerScope === undefined ? [] : collectResultVariables(node.innerScope)),
  ]);
}

function readRawProperties(element: ModdleElement): Readonly<Record<string, string>> {
  const extensionElements = getElement(element, 'extensionElements');
  const properties = (extensionElements === undefined ? [] : getElements(extensionElements, 'values'))
    .filter((value) => getTag(value) === 'zeebe:properties')
    .flatMap((value) => getElements(value, 'properties'));
  return Object.fromEntries(
    properties.map((property) => [getString(property, 'name') ?? '', getString(property, 'value') ?? '']),
  );
}
