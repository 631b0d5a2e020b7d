import type { WorkflowGraph } from '@countersign/model';
import { checkApprovalProperties, resultVariableOf } from './approval-properties.js';
import type { CompileContext } from './compile-context.js';
import { compileScopes } from './compile-scope.js';
import { documentationOf } from './documentation.js';
import { draftScope, type ScopeDraft } from './draft-scope.js';
import { checkProperties } from './element-rules.js';
import { readExtensions, readPairs } from './extensions.js';
import { isFeel } from './expression-language.js';
import { readInputSchema } from './input-schema.js';
import type { Finding } from './lint/finding.js';
import { readLanes } from './lanes.js';
import { elementOf, elementsOf, idOf, tagOf, textOf, type ModdleElement } from './moddle.js';
import { parseXml } from './parse-xml.js';
import { Problems } from './problems.js';
import { selectProcesses } from './select-process.js';
import { checkIdLength } from './values.js';

/** What the bytes of a BPMN file come to. */
export interface CompiledWorkflow {
  readonly graph: WorkflowGraph;
}

/** All executable processes of a file. */
export interface CompiledFile {
  readonly workflows: readonly CompiledWorkflow[];
  /** What only the file tells, and its graphs do not. */
  readonly remarks: readonly Finding[];
}

/** Attributes and children of a process that change nothing in its execution. */
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
 * Compiles BPMN 2.0 XML to the graph that the interpreter walks: of a file with several executable processes, the first.
 *
 * What can't be executed as BPMN 2.0 and Zeebe 8.6 say is refused here, element by element, with everything that is wrong
 * at once. The same bytes always give the same graph.
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
 * Compiles all executable processes of a file, in document order; there is at least one. They are deployed together, or,
 * where one of them is refused, not at all.
 *
 * @param options `isDeployed`: the file was deployed before, possibly by a version without limits of the lengths of names
 * @throws {ModelRefusedError} with all problems found
 */
export async function compileWorkflows(
  source: string | Uint8Array,
  { isDeployed = false }: { readonly isDeployed?: boolean } = {},
): Promise<CompiledFile> {
  const problems = new Problems();
  const definitions = await parseXml(source, problems, undefined, isDeployed);
  const processes = selectProcesses({ problems }, definitions);
  const processIds = new Set(processes.map(idOf).filter((id) => id !== null));
  const speaksFeel = isFeel(textOf(definitions, 'expressionLanguage'));
  const graphs = processes.map((process) => compileProcess({ problems, isDeployed, processIds, speaksFeel }, process));
  problems.throwIfAny();
  return {
    workflows: graphs.filter((graph) => graph !== undefined).map((graph) => ({ graph })),
    remarks: problems.remarks,
  };
}

/** `undefined` where the process has no id, which is recorded. What else is wrong is recorded as well. */
function compileProcess(
  file: Omit<CompileContext, 'lanes' | 'resultVariables'>,
  process: ModdleElement,
): WorkflowGraph | undefined {
  const { problems } = file;
  const workflowId = idOf(process);
  if (workflowId === null) {
    problems.add(null, 'missing_id', 'The executable process has no id, which is the id of the workflow.');
    return undefined;
  }
  checkIdLength(file, workflowId, 'process');
  const draft = draftScope(file, process, workflowId);
  const resultVariables = new Set(resultVariablesOf(draft));
  const context: CompileContext = { ...file, resultVariables, lanes: readLanes(file, draft) };
  checkProperties(context, process, workflowId, PROCESS_PROPERTIES);
  if (textOf(process, 'processType') === 'Public') {
    // BPMN 2.0, 10.1: a public process shows others what they need to know, and is not what is executed.
    const message =
      'processType="Public" is for processes that are shown and not executed; leave it out, or use "Private".';
    problems.add(workflowId, 'not_for_execution', message);
  }
  const extensions = readExtensions(context, process, workflowId, new Set(['zeebe:properties']));
  const properties = readPairs(context, workflowId, extensions.get('zeebe:properties'), 'properties');
  checkApprovalProperties(context, workflowId, 'process', properties);
  const inputSchema = readInputSchema(context, workflowId, properties);
  const { nodes, scopes } = compileScopes(context, draft);
  return {
    workflowId,
    name: textOf(process, 'name') ?? null,
    description: documentationOf(process),
    inputSchema,
    nodes,
    scopes,
    resultVariables,
  };
}

/** Known before anything is compiled, as mappings and scripts anywhere must not write them. */
function resultVariablesOf(scope: ScopeDraft): readonly string[] {
  return [...scope.nodes.values()].flatMap((node) => [
    ...(node.type === 'userTask' ? [resultVariableOf(rawProperties(node.element))] : []),
    ...(node.inner === undefined ? [] : resultVariablesOf(node.inner)),
  ]);
}

function rawProperties(element: ModdleElement): Readonly<Record<string, string>> {
  const holder = elementOf(element, 'extensionElements');
  const properties = (holder === undefined ? [] : elementsOf(holder, 'values'))
    .filter((value) => tagOf(value) === 'zeebe:properties')
    .flatMap((value) => elementsOf(value, 'properties'));
  return Object.fromEntries(
    properties.map((property) => [textOf(property, 'name') ?? '', textOf(property, 'value') ?? '']),
  );
}
