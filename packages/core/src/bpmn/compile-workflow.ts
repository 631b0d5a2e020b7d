import type { WorkflowGraph } from '../domain/workflow-graph.js';
import { checkApprovalProperties, resultVariableOf } from './approval-properties.js';
import type { CompileContext } from './compile-context.js';
import { compileScope } from './compile-scope.js';
import { documentationOf } from './documentation.js';
import { draftScope, type ScopeDraft } from './draft-scope.js';
import { checkProperties } from './element-rules.js';
import { readExtensions, readPairs } from './extensions.js';
import { readInputSchema } from './input-schema.js';
import { elementOf, elementsOf, idOf, tagOf, textOf, type ModdleElement } from './moddle.js';
import { parseXml } from './parse-xml.js';
import { Problems } from './problems.js';
import { selectProcess } from './select-process.js';

/** What the bytes of a BPMN file come to. */
export interface CompiledWorkflow {
  readonly graph: WorkflowGraph;
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
 * Compiles BPMN 2.0 XML to the graph that the interpreter walks.
 *
 * What can't be executed as BPMN 2.0 and Zeebe 8.6 say is refused here, element by element, with everything that is wrong
 * at once. The same bytes always give the same graph.
 *
 * @param source the file: its bytes (UTF-8), or its text
 * @throws {ModelRefusedError} with all problems found
 */
export async function compileWorkflow(source: string | Uint8Array): Promise<CompiledWorkflow> {
  const problems = new Problems();
  const definitions = await parseXml(source, problems);
  const resultVariables = new Set<string>();
  const context: CompileContext = { problems, resultVariables };
  const process = selectProcess(context, definitions);
  const workflowId = process === undefined ? null : idOf(process);
  if (process !== undefined && workflowId === null) {
    problems.add(null, 'missing_id', 'The executable process has no id, which is the id of the workflow.');
  }
  if (process === undefined || workflowId === null) {
    problems.throwIfAny();
    throw new Error('unreachable: a file without a process is a problem');
  }

  const draft = draftScope(context, process, workflowId, null);
  for (const name of resultVariablesOf(draft)) resultVariables.add(name);
  checkProperties(context, process, workflowId, PROCESS_PROPERTIES);
  const extensions = readExtensions(context, process, workflowId, new Set(['zeebe:properties']));
  const properties = readPairs(context, workflowId, extensions.get('zeebe:properties'), 'properties');
  checkApprovalProperties(context, workflowId, 'process', properties);
  const inputSchema = readInputSchema(context, workflowId, properties);
  const scope = compileScope(context, draft);
  problems.throwIfAny();

  return {
    graph: {
      workflowId,
      name: textOf(process, 'name') ?? null,
      description: documentationOf(process),
      inputSchema,
      nodes: scope.nodes,
      scopes: new Map([[scope.definition.id, scope.definition]]),
      resultVariables,
    },
  };
}

/** Known before anything is compiled, as mappings and scripts anywhere must not write them. */
function resultVariablesOf(scope: ScopeDraft): readonly string[] {
  return [...scope.nodes.values()]
    .filter((node) => node.type === 'userTask')
    .map((node) => resultVariableOf(rawProperties(node.element)));
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
